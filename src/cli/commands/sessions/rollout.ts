import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import type { Service } from '../../../stack/service/open-service.ts';
import { withService } from '../../with-workspace.ts';
import { declined, requireApproval } from '../../approval/approval.ts';
import { exitCodeOfAgents, isOver, rolloutOutcomeJson, rolloutOutcomeText } from './rollout-outcome.ts';
import { commandsOf, planRollout, rolloutPlanJson, rolloutPlanText, type RolloutPlan } from './rollout-plan.ts';
import { notResumedText, resumption, type Unfinished } from './resumption.ts';
import { roll } from './roll.ts';
import { requireSelection, selectSessions } from './select-sessions.ts';
import { printRequests } from './send-command.ts';
import { notSent, type SendFlags } from './send-to-sessions.ts';

interface RolloutFlags extends SendFlags {
  readonly update?: boolean;
  readonly restart?: boolean;
  readonly maxUnavailable: number;
  readonly timeout: number;
}

const bothSteps = ['update', 'restart'] as const;

/** Updates and restarts agents in batches: shows the plan, asks for approval, and stops at the first failure. */
export async function rollout(context: Context, ids: readonly string[], flags: RolloutFlags): Promise<number> {
  const { dryRun = false, maxUnavailable, timeout } = flags;
  requireSelection(ids, flags);
  if (!dryRun) requireApproval(context, flags);
  // Without flags, a rollout does both.
  const asked = bothSteps.filter((step) => flags[step] === true);
  const steps = asked.length > 0 ? asked : bothSteps;
  return withService(context, { command: 'sessions rollout', writes: !dryRun }, async (service) => {
    const plan = planRollout(await selectSessions(service.reader, ids, flags), steps, maxUnavailable);
    if (context.format.isInteractive) context.io.out(rolloutPlanText(plan, context.palette));
    if (dryRun) return printRequests(context, commandsOf(plan), { plan: rolloutPlanJson(plan) });
    const isEmpty = plan.batches.length === 0;
    const code = isEmpty ? exitCodes.done : await declined(context, flags, '\nStart this rollout?', notSent);
    if (code !== undefined) {
      context.done('', { plan: rolloutPlanJson(plan), outcome: null });
      return code;
    }
    return runRollout(context, service, plan, { ids, selection: flags, timeout });
  });
}

async function runRollout(
  context: Context,
  service: Service,
  plan: RolloutPlan,
  asked: Pick<Unfinished, 'ids' | 'selection' | 'timeout'>,
): Promise<number> {
  const { signal } = context.io;
  const { steps } = plan;
  const outcomes = await roll({
    ...plan,
    ...service,
    signal,
    timeoutMs: asked.timeout * 1000,
    onProgress: (text) => context.log('info', safeText(text, 2000)),
  });
  const open = outcomes.filter((outcome) => !isOver(outcome, steps));
  const again = open.length === 0 ? undefined : resumption({ ...asked, plan, open });
  context.done(
    `\n${rolloutOutcomeText(outcomes, steps, context.palette)}${again === undefined ? '' : `To continue the rollout, run:\n  ${safeText(again, Infinity)}\n`}${notResumedText({ ...asked, open })}`,
    {
      plan: rolloutPlanJson(plan),
      outcome: { interrupted: signal.aborted, agents: rolloutOutcomeJson(outcomes), resume: again },
    },
  );
  return exitCodeOfAgents(outcomes, open, signal.aborted);
}
