import { isPlanDigest } from '../model/plan/is-plan-digest.ts';
import { Stale } from '../diagnostics/errors.ts';
import { discardReason, discardedHint, discardedText, type Discarded } from './discarded-approvals.ts';
import type { ReviewApi } from './platform-api.ts';

/** What was merged, and whose digest of it counts. */
export interface Merged {
  /** The branch of the pipeline, and its head. */
  readonly branch: string;
  readonly commit: string;
  readonly name: string;
}

/**
 * The digest that was reviewed: of the latest status that this identity set on the head of the merged pull request, and that
 * somebody else with write access approved after it was set, without another one in between. Throws what is missing.
 */
export async function reviewedDigest(api: ReviewApi, { branch, commit, name }: Merged): Promise<string> {
  const [pull, another] = await api.mergedInto(branch, commit);
  const short = commit.slice(0, 12);
  if (pull === undefined) throw notReviewed(`commit ${short} is not the merge of a pull request into ${branch}`);
  if (another !== undefined) throw notReviewed(`commit ${short} is the merge of more than one pull request`);
  const us = await api.identity();
  const own = (await api.statuses(pull.head, name)).filter(({ by }) => by === us);
  const statuses = own.toSorted((a, b) => b.at - a.at);
  // One without a time may be the latest.
  const status = statuses.find(({ at }) => Number.isNaN(at)) ?? statuses[0];
  const number = String(pull.number);
  if (status === undefined)
    throw notReviewed(`the head of pull request ${number} has no commit status ${name} set by the user of this token`);
  if (Number.isNaN(status.at))
    throw notReviewed(`the status ${name} on the head of pull request ${number} has no time`);
  if (!isPlanDigest(status.text))
    throw notReviewed(`the status ${name} on the head of pull request ${number} has no digest`);
  if (statuses.some(({ at, text }) => at === status.at && text !== status.text))
    throw notReviewed(
      `the status ${name} on the head of pull request ${number} has two different digests with the same time, so the latest is unknown`,
    );
  // A job that ran again has published the same digest again: it stands since the first that is later than any other digest.
  const other = statuses.find(({ text }) => text !== status.text)?.at ?? -Infinity;
  const published = statuses.findLast(({ at }) => at > other)?.at ?? status.at;
  const isAgain = statuses.some(({ at, text }) => text === status.text && at < published);
  const discarded: Discarded[] = [];
  for (const verdict of await api.verdicts(pull.number)) {
    const reason =
      discardReason(verdict, { us, author: pull.author, head: pull.head, published, isAgain }) ??
      ((await verdict.mayWrite()) ? undefined : 'no-write-access');
    if (reason === undefined) return status.text;
    discarded.push({ verdict, reason });
  }
  if (discarded.length === 0) throw notReviewed(`pull request ${number} has no approval`);
  throw notReviewed(
    `pull request ${number} has no approval that is valid: ${discardedText(discarded, pull.head)}`,
    discardedHint(discarded),
  );
}

const usualHint =
  'publish the plan of the pull request with `sluice publish-digest`, have the pull request approved, then merge';

function notReviewed(message: string, hint = usualHint): Stale {
  return new Stale('NOT_REVIEWED', message, hint, []);
}
