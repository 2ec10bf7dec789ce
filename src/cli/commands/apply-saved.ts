import { Stale } from '../../diagnostics/errors.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { comparable, differences } from '../../plan/comparable.ts';
import { createDigester } from '../../state/digest.ts';
import { carryOut, type ApprovalFlags } from '../carry-out.ts';
import type { Context } from '../context.ts';
import { desiredIn, mustFit, readPlanFile } from '../plan-file.ts';
import { planNow } from '../plan-now.ts';
import { openWorkspace } from '../workspace.ts';

/** How to apply a saved plan. */
export interface ApplySavedFlags extends Omit<ApprovalFlags, 'autoApprove'> {
  readonly parallelism: number;
  /** The digest that was approved; finds a file that was exchanged. */
  readonly digest?: string;
}

/** Carries out a plan that was approved: looks again, plans again, and goes on only if that gives the same plan. */
export async function applySaved(context: Context, file: string, flags: ApplySavedFlags): Promise<number> {
  const saved = readPlanFile(context, file);
  const workspace = await openWorkspace(context, { ...flags, command: 'apply', writes: true });
  try {
    mustFit(context, workspace, saved, flags.digest);
    const desired = desiredIn(saved, workspace);
    const wanted = { desired, described: desired.resources.map(({ address }) => address), gone: saved.run.targets };
    const { plan } = await planNow(context, workspace, wanted, { ...saved.run });
    const differing = differences(saved.approved, comparable(plan, createDigester(saved.salt)));
    for (const difference of differing) context.log('error', safeText(difference));
    if (differing.length > 0)
      throw new Stale('PLAN_IS_STALE', 'the plan would be another one now; nothing was written', {
        hint: 'plan again, and have that approved',
      });
    return await carryOut(context, workspace, plan, { ...flags, autoApprove: true }, '');
  } finally {
    await workspace.close();
  }
}
