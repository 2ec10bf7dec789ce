import { present } from '../model/present.ts';
import type { ApprovalRecord } from '../model/status/watch-status.ts';
import type { Controller } from './controller.ts';
import type { ApplicableChanges } from './decide/select-applicable.ts';
import {
  hasApproval,
  isOvertaken,
  isRecentApproval,
  isUsedUp,
  isUsedUpCommit,
  type UsedApproval,
} from './decide/used-approvals.ts';
import { isProven, stillCounts, type OperatorRequests } from './operator-requests.ts';
import type { Ports } from './ports.ts';
import type { ApprovedChange } from './watch-state.ts';

/** Approvals that operators have requested, and those in signed commits. */
export interface Approvals {
  readonly requested: OperatorRequests['approvals'];
  readonly signed: readonly ApprovalRecord[];
}

/**
 * Accepts an approval if its digest is that of the changes that are pending now. Each counts once, and one that an operator
 * requested only for what is pending when it is read: it must not take effect when other changes come back, nor a week later. A commit may be
 * read before its revision is planned, so it counts as long as it is recent, unless the same was approved since it was made. None takes
 * effect before it is written that it did.
 */
export async function acceptApprovals(
  controller: Controller,
  { log, now }: Ports,
  { requested, signed }: Approvals,
  { digest, unapproved, pending }: ApplicableChanges,
): Promise<boolean> {
  const { usedApprovals, approved, salt } = controller.kept.now;
  const current = requested.filter((one) => stillCounts(one, now()));
  const unproven = new Set<UsedApproval>(current.filter((one) => !isProven(one, salt)));
  const all = [...current, ...signed];
  // What cannot be kept could be accepted twice: it waits until the watch state is written again.
  const acceptable = controller.failures.find('watch-state') !== undefined ? [] : all;
  const isUsed = (one: UsedApproval): boolean =>
    (hasApproval(signed, one) ? isUsedUpCommit : isUsedUp)(controller.kept.now, one);
  const fresh = acceptable.filter((one) => !isUsed(one));
  // One that can still be found must not be accepted again; a commit can be gone for a while.
  const still = usedApprovals.filter((one) => isRecentApproval(one, now()) || hasApproval(all, one));
  // By its date, since a commit may arrive late; what an operator requests is about what is shown now, whatever their clock says.
  const overtaken: readonly UsedApproval[] = fresh.filter(
    (one) => !hasApproval(current, one) && isOvertaken(one, still),
  );
  const isGiven = (one: UsedApproval): boolean =>
    one.digest === digest && !overtaken.includes(one) && !unproven.has(one);
  const used = fresh.filter((one) => one.digest === digest || overtaken.includes(one) || hasApproval(current, one));
  const usedUp = used.map((one) =>
    present({ digest: one.digest, at: one.at, acceptedAt: isGiven(one) ? now() : undefined }),
  );
  controller.kept.update({ usedApprovals: [...still, ...usedUp] });
  for (const one of used)
    if (unproven.has(one)) log('warn', 'approval-unused', unprovenText(one));
    else if (one.digest !== digest) log('warn', 'approval-unused', unusedText(one, digest));
  const given = fresh.find(isGiven);
  if (given === undefined) return false;
  const { digest: approval, by, at, reason } = given;
  const facts = { digest: approval, by, ...(reason === undefined ? {} : { reason }) };
  const added = pending.flatMap(({ address, cause }): [string, ApprovedChange][] => {
    const part = unapproved.get(address);
    return part === undefined || cause === undefined ? [] : [[address, { ...facts, at, part, cause }]];
  });
  controller.kept.update({ approved: { ...approved, ...Object.fromEntries(added) } });
  await controller.saveState();
  if (!controller.kept.isSaved) {
    controller.kept.update({ usedApprovals, approved });
    return false;
  }
  log('info', 'approved', `approved by ${by}${reason === undefined ? '' : `: ${reason}`}`, facts);
  return true;
}

function unusedText({ by, digest }: Pick<ApprovalRecord, 'by' | 'digest'>, pending: string | undefined): string {
  return `the approval by ${by} is not used: it approves ${digest}, and ${pending === undefined ? 'no' : 'other'} changes require approval now`;
}

function unprovenText({ by, digest }: Pick<ApprovalRecord, 'by' | 'digest'>): string {
  return `the approval of ${digest} by ${by} is not used: it was not recorded by \`sluice approve\` or on the status page, or the watch state was replaced since; approve the changes again if you reviewed them`;
}
