import { carryOut, mustBeApprovable, type ApprovalFlags } from '../carry-out.ts';
import type { Context } from '../context.ts';
import { loadDesired } from '../load-desired.ts';
import { planNow, type PlanningFlags } from '../plan-now.ts';
import type { StackFlags } from '../stack-flags.ts';
import { openWorkspace } from '../workspace.ts';

/** What to apply, and what has been approved beforehand. */
export interface ApplyFlags extends StackFlags, PlanningFlags, ApprovalFlags {}

/** Makes the account what the manifests say. */
export async function apply(context: Context, flags: ApplyFlags): Promise<number> {
  const workspace = await openWorkspace(context, {
    ...flags,
    command: 'apply',
    writes: true,
    mayBegin: () => {
      mustBeApprovable(context, flags);
    },
  });
  try {
    const wanted = await loadDesired(context, workspace, flags, 'error');
    const planned = await planNow(context, workspace, wanted, flags);
    return await carryOut(context, workspace, planned, flags, 'Make these changes?');
  } finally {
    await workspace.close();
  }
}
