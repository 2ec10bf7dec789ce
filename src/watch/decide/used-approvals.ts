import { isPlanDigest } from '../../model/plan/is-plan-digest.ts';
import type { ApprovalRecord } from '../../model/status/watch-status.ts';
import type { ApprovingCommit } from '../../stack/git/approving-commits.ts';
import { stillCounts } from '../operator-requests.ts';

const hourMs = 3_600_000;

/** An approval that is used up: each counts once. */
export interface UsedApproval extends Pick<ApprovalRecord, 'digest' | 'at'> {
  /** When its changes were approved by it; absent: it approved nothing. */
  readonly acceptedAt?: number;
}

/** Whether an approval must be remembered: it could be found again, or a commit of its time could be. */
export function isRecentApproval({ at, acceptedAt = at }: UsedApproval, now: number): boolean {
  return stillCounts({ at: acceptedAt }, now);
}

/** Whether the same changes were approved in another way after an approval was given: it is about what is done already. */
export function isOvertaken({ digest, at }: UsedApproval, used: readonly UsedApproval[]): boolean {
  return used.some((one) => one.digest === digest && one.acceptedAt !== undefined && one.acceptedAt >= at);
}

/** Which approvals are used up. */
export interface UsedApprovals {
  readonly usedApprovals: readonly UsedApproval[];
  /** What was given before may be used up: the record of it was lost. */
  readonly approvalsLostAt?: number;
  /** When the record began. A commit before that may be used up, as far as anybody knows; what else was given before has no proof. */
  readonly approvalsSince?: number;
}

/** Whether an approval counts no more. */
export function isUsedUp({ usedApprovals, approvalsLostAt = -Infinity }: UsedApprovals, one: UsedApproval): boolean {
  return one.at <= approvalsLostAt || hasApproval(usedApprovals, one);
}

/** The same, of an approval in a commit. */
export function isUsedUpCommit(used: UsedApprovals, one: UsedApproval): boolean {
  return one.at < (used.approvalsSince ?? -Infinity) || isUsedUp(used, one);
}

/** Why what an operator has requested does not approve the pending changes, where nobody knows whether it was used; undefined: there is none. */
export function refusedRequest(
  requested: readonly Pick<ApprovalRecord, 'digest' | 'by' | 'at'>[],
  pending: string,
  { used, now }: { readonly used: UsedApprovals; readonly now: number },
): string | undefined {
  const found = requested.find((one) => one.digest === pending && stillCounts(one, now) && isUsedUp(used, one));
  if (found === undefined || hasApproval(used.usedApprovals, found)) return undefined;
  return `the approval by ${found.by} does not approve these changes: ${recordLost}`;
}

const recordLost =
  'the approval is older than the record of used approvals, and an earlier record may have been lost, so the approval may have been used already; approve the changes again';

/** Whether an approval is among others. */
export function hasApproval(approvals: readonly UsedApproval[], { digest, at }: UsedApproval): boolean {
  return approvals.some((one) => one.digest === digest && one.at === at);
}

/** The approvals in commits that count, with the signer and the commit. */
export function approvalsIn(commits: readonly ApprovingCommit[], now: number): readonly ApprovalRecord[] {
  return commits.flatMap(({ commit, subject, digest, at, signature }) =>
    'by' in signature && problemOf({ digest, at, signature }, now) === undefined
      ? [{ digest, by: signature.by, at, reason: `commit ${commit.slice(0, 12)}: ${subject}`.slice(0, 200) }]
      : [],
  );
}

/** Why the newest commit that was to approve the pending changes does not; undefined: there is none. */
export function refusedCommit(
  commits: readonly ApprovingCommit[],
  pending: string,
  { used, now }: { readonly used: UsedApprovals; readonly now: number },
): string | undefined {
  const usedUp = new Set(commits.filter((one) => isUsedUpCommit(used, one)).map(({ commit }) => commit));
  const newest = commits.find((one) => one.digest === pending || (!usedUp.has(one.commit) && stillCounts(one, now)));
  const found = commits.find(({ commit, digest }) => commit === newest?.commit && digest === pending) ?? newest;
  if (found === undefined) return undefined;
  const { commit, digest } = found;
  const why = isUsedUpCommit(used, found)
    ? usedUpText(used, found)
    : (problemOf(found, now) ??
      (digest === pending
        ? undefined
        : `the commit approves ${digest}, which is not the digest of the changes that now require approval`));
  return why === undefined ? undefined : `commit ${commit.slice(0, 12)} does not approve these changes: ${why}`;
}

function usedUpText({ usedApprovals }: UsedApprovals, found: UsedApproval): string {
  return hasApproval(usedApprovals, found)
    ? 'the approval in this commit was already used, and each approval can be used only once'
    : recordLost;
}

function problemOf(
  { digest, at, signature }: Pick<ApprovingCommit, 'digest' | 'at' | 'signature'>,
  now: number,
): string | undefined {
  if (!isPlanDigest(digest)) return `the digest ${digest} is not sha256: followed by 64 hexadecimal digits`;
  if ('problem' in signature) return signature.problem;
  if (!stillCounts({ at }, now)) return 'the commit is more than a week old';
  return at - now > hourMs ? 'the date of the commit is in the future' : undefined;
}
