import { approveAndApply, type ApprovalFlags } from '../approval/approve-and-apply.ts';
import type { Context } from '../context.ts';
import { requireDigest } from '../approval/require-digest.ts';
import { loadDesired, type StackFlags } from '../../stack/plan/load-desired.ts';
import { makePlan, type PlanningFlags } from '../../stack/plan/make-plan.ts';
import { UsageError } from '../../stack/usage-error.ts';
import type { Workspace } from '../../stack/workspace.ts';
import { withWorkspace } from '../with-workspace.ts';

/** What to apply, and what is approved in advance; `reviewed`: only what was approved on the platform. */
export interface ApplyFlags extends StackFlags, PlanningFlags, ApprovalFlags {
  readonly digest?: string;
}

/** Makes the changes required by the manifests. */
export async function apply(context: Context, given: ApplyFlags): Promise<number> {
  if (given.reviewed === true && given.digest !== undefined)
    throw new UsageError('--reviewed cannot be combined with --digest', 'remove one of the two flags');
  const flags = given.reviewed === true ? { ...given, autoApprove: true } : given;
  return withWorkspace(context, { ...flags, command: 'apply', writes: true }, async (workspace) => {
    const approved = given.reviewed === true ? await approvedDigest(context, workspace) : given.digest;
    const wanted = await loadDesired(context, workspace, flags, 'error');
    const planned = await makePlan(context, workspace, wanted, flags);
    if (approved !== undefined) requireDigest(context, workspace, planned.plan, approved);
    const isOlder = planned.plan.diagnostics.some(({ code }) => code === 'OLDER_THAN_APPLIED');
    const question = isOlder
      ? 'Apply these changes from a commit that is older than the last applied commit?'
      : 'Apply these changes?';
    return approveAndApply(context, workspace, planned, flags, question);
  });
}

/** The platform is asked while the lock is held: the second of two merges waits, and then plans again. */
async function approvedDigest(context: Context, { stack }: Workspace): Promise<string> {
  const [{ mergedCommit, onReviews, statusName }, { reviewedDigest }] = await Promise.all([
    import('./review/on-reviews.ts'),
    import('../../comments/reviewed-digest.ts'),
  ]);
  return onReviews(context, mergedCommit, (api, at) => reviewedDigest(api, { ...at, name: statusName(stack) }));
}
