import { kinds } from '../../kinds/index.ts';
import { isEmptyPlan } from '../../model/plan.ts';
import { planJson } from '../../render/plan-json.ts';
import { planText } from '../../render/plan-text.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { loadDesired } from '../load-desired.ts';
import { savePlanFile } from '../plan-file.ts';
import { planNow, type PlanningFlags } from '../plan-now.ts';
import type { StackFlags } from '../stack-flags.ts';
import { openWorkspace } from '../workspace.ts';

/** What to plan, and how to show it. */
export interface PlanFlags extends StackFlags, PlanningFlags {
  readonly detailedExitcode?: boolean;
  readonly requests?: boolean;
  /** Where to save the plan for an apply to come. */
  readonly out?: string;
}

/** Shows what apply would do. */
export async function plan(context: Context, flags: PlanFlags): Promise<number> {
  const workspace = await openWorkspace(context, { ...flags, command: 'plan', writes: false });
  try {
    const wanted = await loadDesired(context, workspace, flags, 'error');
    const planned = await planNow(context, workspace, wanted, flags);
    context.result(
      () => planText(planned, { kinds, ...context.layout, requests: flags.requests === true }),
      () => planJson(planned),
    );
    if (flags.out !== undefined) {
      const run = { targets: wanted.gone, allow: flags.allow ?? [], resendSecrets: flags.resendSecrets === true };
      const digest = await savePlanFile(context, workspace, flags.out, planned, wanted.desired, run);
      context.log('info', `Saved. Apply it with: sluice apply ${flags.out} --digest ${digest}`);
    }
    return flags.detailedExitcode === true && !isEmptyPlan(planned) ? exitCodes.pending : exitCodes.done;
  } finally {
    await workspace.close();
  }
}
