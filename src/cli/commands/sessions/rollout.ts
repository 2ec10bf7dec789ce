import { safeText } from '../../../diagnostics/safe-text.ts';
import { shellWord } from '../../../render/status/sluice-command.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import type { Service } from '../../../stack/service/open-service.ts';
import { withService } from '../../with-workspace.ts';
import { declined, requireApproval } from '../../approval/approval.ts';
import { exitCodeOfAgents, isOver, rolloutOutcomeJson, rolloutOutcomeText } from './rollout-outcome.ts';
import { commandsOf, planRollout, rolloutPlanJson, rolloutPlanText, type RolloutPlan } from './rollout-plan.ts';
import { roll, type AgentOutcome } from './roll.ts';
import { requireSelection, selectSessions, type SessionSelection } from './select-sessions.ts';
import { printRequests } from './send-command.ts';
import type { Session } from './session.ts';
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
  const { dryRun = false, maxUnavailable } = flags;
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
    return runRollout(context, service, plan, ids, flags);
  });
}

async function runRollout(
  context: Context,
  service: Service,
  plan: RolloutPlan,
  ids: readonly string[],
  flags: RolloutFlags,
): Promise<number> {
  const { signal } = context.io;
  const { steps } = plan;
  const outcomes = await roll({
    ...plan,
    ...service,
    signal,
    timeoutMs: flags.timeout * 1000,
    onProgress: (text) => context.log('info', safeText(text, 2000)),
  });
  const open = outcomes.filter((outcome) => !isOver(outcome, steps));
  const again = open.length === 0 ? undefined : resumption(plan, ids, flags, open);
  context.done(
    `\n${rolloutOutcomeText(outcomes, steps, context.palette)}${again === undefined ? '' : `To continue the rollout, run:\n  ${safeText(again, Infinity)}\n`}${notResumedText(ids, open)}`,
    {
      plan: rolloutPlanJson(plan),
      outcome: { interrupted: signal.aborted, agents: rolloutOutcomeJson(outcomes), resume: again },
    },
  );
  return exitCodeOfAgents(outcomes, open, signal.aborted);
}

/**
 * The command that continues a stopped rollout. The service stores nothing about a rollout, so the command contains it.
 * For agents given by id, it lists the sessions that they have now; undefined if none is known. For filters, it repeats the
 * filters: agents that were updated are then up to date. If agents were only restarted, finished agents are excluded by the
 * start of their session, which is later than that of every agent at the start of the rollout.
 */
function resumption(
  { steps, maxUnavailable, batches }: RolloutPlan,
  ids: readonly string[],
  flags: RolloutFlags,
  open: readonly AgentOutcome[],
): string | undefined {
  const isRestartOnly = !steps.includes('update');
  const limit = flags.startedBefore ?? (isRestartOnly ? afterNewest(batches.flat()) : undefined);
  const online = open.filter(({ isAway }) => isAway !== true).map(({ session, back = session }) => shellWord(back.id));
  if (ids.length > 0 && online.length === 0) return undefined;
  const words = [
    'sluice sessions rollout',
    ...steps.map((step) => `--${step}`),
    ...(ids.length > 0 ? online : conditions(flags)),
    // The time is a filter, which --all does not allow.
    ...(ids.length > 0
      ? []
      : limit !== undefined
        ? [`--started-before ${limit}`]
        : flags.all === true
          ? ['--all']
          : []),
    `--max-unavailable ${maxUnavailable}`,
    `--timeout ${flags.timeout}`,
  ];
  return words.join(' ');
}

/** For agents given by id: what to do about those that the command cannot name, as text; empty for none. */
function notResumedText(ids: readonly string[], open: readonly AgentOutcome[]): string {
  const away = ids.length === 0 ? [] : open.filter(({ isAway }) => isAway === true);
  if (away.length === 0) return '';
  const list = away.map(({ session }) => safeText(session.id)).join(', ');
  return `The new sessions of these agents are unknown: ${list}. Once they have reconnected, find the new ids with \`sluice sessions list\`, and start a rollout of these sessions.\n`;
}

function conditions({ region, os, version, credential, metadata }: SessionSelection): string[] {
  const filters = { region, os, credential, metadata, version: version === undefined ? [] : [version] };
  return Object.entries(filters).flatMap(([name, values = []]) =>
    values.map((value) => `--${name} ${shellWord(value)}`),
  );
}

/** The second after the start of the newest session; the service rounds times to seconds. */
function afterNewest(sessions: readonly Session[]): string | undefined {
  const newest = Math.max(...sessions.map(({ startedAt }) => Date.parse(startedAt)));
  return Number.isNaN(newest) ? undefined : new Date(newest + 1000).toISOString().replace(/\.\d+Z$/, 'Z');
}
