import { counted } from '../../../diagnostics/counted.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Palette } from '../../../render/text/palette.ts';
import { table } from '../../../render/text/table.ts';
import type { printRequests } from './send-command.ts';
import { ambiguousSessions } from './returned-session.ts';
import type { Steps } from './roll.ts';
import { isOnWindows, sessionColumns, sessionRow, type Session } from './session.ts';

/** The plan of a rollout: the agents of each batch, and the agents that are skipped. */
export interface RolloutPlan {
  readonly steps: Steps;
  readonly maxUnavailable: number;
  readonly batches: readonly (readonly Session[])[];
  /** Agents on Windows, which cannot be restarted remotely. */
  readonly skipped: readonly Session[];
}

/** Plans a rollout of these agents in batches. */
export function planRollout(sessions: readonly Session[], steps: Steps, maxUnavailable: number): RolloutPlan {
  const skipped = steps.includes('restart') ? sessions.filter(isOnWindows) : [];
  const reached = sessions.filter((session) => !skipped.includes(session));
  const batches = Array.from({ length: Math.ceil(reached.length / maxUnavailable) }, (_, index) =>
    reached.slice(index * maxUnavailable, (index + 1) * maxUnavailable),
  );
  return { steps, maxUnavailable, batches, skipped };
}

/** The commands of a rollout, in order, if no agent refuses one. */
export function commandsOf({ batches, steps }: RolloutPlan): Parameters<typeof printRequests>[1] {
  return batches.flatMap((batch) => steps.flatMap((command) => batch.map((session) => ({ command, session }))));
}

const windows = `Skipped: agents on Windows cannot be restarted remotely. Update them with \`sluice sessions update\`,
then restart the service on the machine.`;

/** The plan as text. */
export function rolloutPlanText(plan: RolloutPlan, palette: Palette): string {
  const { batches, skipped, steps } = plan;
  const reached = batches.flat();
  const ambiguous = steps.includes('restart') ? ambiguousSessions(reached) : 0;
  return [
    `${summary(plan)}\n`,
    reached.length === 0
      ? ''
      : `\n${table(
          ['BATCH', ...sessionColumns],
          batches.flatMap((batch, index) => batch.map((session) => [String(index + 1), ...sessionRow(session)])),
          palette,
        )}`,
    skipped.length === 0
      ? ''
      : `\n${windows}\n${skipped.map(({ id, os }) => `  ${safeText(id)}  ${safeText(os)}\n`).join('')}`,
    ambiguous === 0
      ? ''
      : `\n${ambiguous} of these agents cannot be distinguished (same credential, address, operating system and metadata). sluice waits until as many of them have reconnected, but cannot tell which agent is which.\n`,
  ].join('');
}

/** The plan as JSON. */
export function rolloutPlanJson(plan: RolloutPlan): Readonly<Record<string, unknown>> {
  return {
    steps: plan.steps,
    max_unavailable: plan.maxUnavailable,
    batches: plan.batches.map((batch) => batch.map(({ id }) => id)),
    skipped: plan.skipped.map(({ id, os }) => ({ id, os, code: 'RESTART_NOT_SUPPORTED' })),
  };
}

function summary({ steps, maxUnavailable, batches }: RolloutPlan): string {
  const reached = batches.flat().length;
  if (reached === 0) return 'No matching agents are online.';
  const rollout = `Rollout to ${counted(reached, 'agent')}: ${steps.join(', then ')}`;
  if (!steps.includes('restart'))
    return `${rollout}. Agents are not restarted: each agent runs its old version until its restart.`;
  return `${rollout}; ${counted(batches.length, 'batch', 'batches')}, at most ${counted(maxUnavailable, 'agent')} offline at the same time.`;
}
