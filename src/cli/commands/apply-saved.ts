import { Refused, Stale } from '../../diagnostics/errors.ts';
import { isEmptyPlan } from '../../model/plan/plan.ts';
import { comparable } from '../../plan/saved/comparable.ts';
import { differences } from '../../plan/saved/differences.ts';
import { differenceTexts } from '../../render/plan/differences-text.ts';
import { sluiceCommand } from '../../render/status/sluice-command.ts';
import { createDigester } from '../../state/digest.ts';
import { approveAndApply } from '../approval/approve-and-apply.ts';
import type { Context } from '../context.ts';
import { checkoutIn, desiredIn, requireMatchingPlan, readPlanFile } from '../../stack/plan/plan-file.ts';
import { makePlan } from '../../stack/plan/make-plan.ts';
import { planDestroy } from '../../stack/plan/plan-destroy.ts';
import { UsageError } from '../../stack/usage-error.ts';
import { withWorkspace } from '../with-workspace.ts';
import type { ApplyFlags } from './apply-command.ts';

/** Applies an approved plan: refreshes, plans again, and continues only if that gives the same plan. */
export async function applySaved(context: Context, file: string, flags: ApplyFlags): Promise<number> {
  mustNotReplan(flags);
  const saved = readPlanFile(context, file);
  if (saved.plan.snapshot !== undefined)
    throw new Refused('PLAN_FROM_SNAPSHOT', 'the plan was made from a snapshot and cannot be applied', {
      hint: `run \`${planAgain(context, file)}\` with access to the account`,
    });
  return withWorkspace(context, { ...flags, command: 'apply', writes: true }, async (workspace) => {
    requireMatchingPlan(context, workspace, saved, flags.digest);
    const desired = desiredIn(saved, workspace);
    const { described, targets: removedTargets } = saved.run;
    const checkout = checkoutIn(saved.run);
    const wanted = { desired, described, removedTargets, ...(checkout === undefined ? {} : { checkout }) };
    const planned =
      saved.run.destroying === true
        ? await planDestroy(context, workspace, { ...saved.run })
        : await makePlan(context, workspace, wanted, { ...saved.run });
    const differing = differences(saved.approved, comparable(planned.plan, createDigester(saved.salt)));
    if (differing.length > 0 && isEmptyPlan(planned.plan))
      throw new Stale(
        'PLAN_IS_STALE',
        'the saved plan was already applied; no changes remain',
        'run `sluice plan` to see the account as it is now',
        differing,
      );
    if (differing.length > 0) {
      context.log('error', differenceTexts(differing).join('').trimEnd());
      const message = 'the saved plan is stale: planning again gives a different plan; nothing was written';
      throw new Stale(
        'PLAN_IS_STALE',
        message,
        `run \`${planAgain(context, file)}\` and have the new plan approved`,
        differing,
      );
    }
    return approveAndApply(context, workspace, planned, { ...flags, autoApprove: true }, '');
  });
}

function planAgain({ dir }: Context, file: string): string {
  return sluiceCommand(dir, ['plan', '--out', file]);
}

const planningFlags: Partial<Record<keyof ApplyFlags, string>> = {
  file: '-f',
  selector: '-l',
  target: '--target',
  allow: '--allow',
  resendSecrets: '--resend-secrets',
  acceptMissing: '--accept-missing',
  keepOldest: '--keep-oldest',
  allowEmpty: '--allow-empty',
  renameFrom: '--rename-from',
};

/** Flags that affect planning belong to the run that planned; the plan file records them. */
function mustNotReplan(flags: ApplyFlags): void {
  if (flags.reviewed === true)
    throw new UsageError(
      '--reviewed cannot be combined with a saved plan',
      'replace --reviewed with --digest DIGEST, the digest that was approved',
    );
  const [, flag] = Object.entries(planningFlags).find(([name]) => flags[name as keyof ApplyFlags] !== undefined) ?? [];
  if (flag === undefined) return;
  throw new UsageError(
    `${flag} cannot be used with a saved plan: pass the flag to \`sluice plan\``,
    `run \`sluice plan --out FILE ${flag}\`, then apply FILE`,
  );
}
