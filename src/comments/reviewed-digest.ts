import { isPlanDigest } from '../model/plan/is-plan-digest.ts';
import { Stale } from '../diagnostics/errors.ts';
import type { ReviewApi } from './review-api.ts';

/** What was merged, and whose digest of it counts. */
export interface Merged {
  /** The branch of the pipeline, and its head. */
  readonly branch: string;
  readonly commit: string;
  /** The name of the status. */
  readonly name: string;
}

/**
 * The digest that was reviewed: of a status that this identity set on the head of the merged pull request, and that somebody
 * else with write access approved after it was set. Throws what is missing.
 */
export async function reviewedDigest(api: ReviewApi, { branch, commit, name }: Merged): Promise<string> {
  const [pull, another] = await api.mergedInto(branch, commit);
  const short = commit.slice(0, 12);
  if (pull === undefined) throw notReviewed(`commit ${short} is not the merge of a pull request into ${branch}`);
  if (another !== undefined) throw notReviewed(`commit ${short} is the merge of more than one pull request`);
  const us = await api.identity();
  const statuses = (await api.statuses(pull.head, name)).filter(({ by }) => by === us);
  const [status] = statuses.sort((a, b) => b.at - a.at);
  const where = `the head of pull request ${String(pull.number)}`;
  if (status === undefined) throw notReviewed(`${where} has no commit status ${name} set by the user of this token`);
  if (!isPlanDigest(status.text)) throw notReviewed(`the status ${name} on ${where} has no digest`);
  const approvals = await api.approvals(pull.number);
  const isLater = approvals.some(
    (approval) =>
      approval.by !== us &&
      approval.by !== pull.author &&
      approval.at > status.at &&
      (approval.commit === undefined || approval.commit === pull.head),
  );
  if (!isLater)
    throw notReviewed(
      `pull request ${String(pull.number)} has no approval by another user with write access since its plan was published`,
    );
  return status.text;
}

function notReviewed(message: string): Stale {
  return new Stale(
    'NOT_REVIEWED',
    message,
    'publish the plan of the pull request with `sluice publish-digest`, have the pull request approved, then merge',
    [],
  );
}
