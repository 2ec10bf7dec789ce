import { approveAndApply, requireApproval, type ApprovalFlags } from '../approve-and-apply.ts';
import type { Context } from '../context.ts';
import { loadDesired } from '../../stack/plan/load-desired.ts';
import { makePlan, type PlanningFlags } from '../../stack/plan/make-plan.ts';
import type { StackFlags } from '../../stack/settings/stack-flags.ts';
import { openWorkspace } from '../../stack/workspace.ts';

/** What to apply, and what is approved in advance. */
export interface ApplyFlags extends StackFlags, PlanningFlags, ApprovalFlags {}

/** Makes the changes required by the manifests. */
export async function apply(context: Context, flags: ApplyFlags): Promise<number> {
  const workspace = await openWorkspace(context, {
    ...flags,
    command: 'apply',
    writes: true,
    mayBegin: () => {
      requireApproval(context, flags);
    },
  });
  try {
    const wanted = await loadDesired(context, workspace, flags, 'error');
    const planned = await makePlan(context, workspace, wanted, flags);
    return await approveAndApply(context, workspace, planned, flags, 'Apply these changes?');
  } finally {
    await workspace.close();
  }
}
