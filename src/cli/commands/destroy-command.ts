import type { PlanningFlags } from '../../stack/plan/make-plan.ts';
import { planDestroy } from '../../stack/plan/plan-destroy.ts';
import { UsageError } from '../../stack/usage-error.ts';
import { withWorkspace } from '../with-workspace.ts';
import { approveAndApply, type ApprovalFlags } from '../approval/approve-and-apply.ts';
import type { Context } from '../context.ts';

interface DestroyFlags extends PlanningFlags, ApprovalFlags {
  readonly parallelism: number;
  readonly all?: string | boolean;
}

/** Deletes all resources of this stack, or none if any of them is protected. */
export async function destroy(context: Context, flags: DestroyFlags): Promise<number> {
  if (flags.all !== undefined)
    throw new UsageError(
      'destroy deletes one stack and has no --all',
      'run the command once for each stack to delete: sluice -C DIR destroy',
    );
  return withWorkspace(context, { ...flags, command: 'destroy', writes: true }, async (workspace) => {
    const planned = await planDestroy(context, workspace, flags);
    return approveAndApply(context, workspace, planned, flags, 'Delete all of these resources?');
  });
}
