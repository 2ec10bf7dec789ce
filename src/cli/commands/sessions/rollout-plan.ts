import { counted } from '../../../diagnostics/counted.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Palette } from '../../../render/text/palette.ts';
import { table } from '../../../render/text/table.ts';
import type { Command } from './send-command.ts';
import { ambiguousSessions } from './returned-session.ts';
import type { Steps } from './roll.ts';
import { isOnWindows, sessionColumns, sessionRow, type Session } from './session.ts';

/** What a rollout would do: whom it reaches in which batch, and whom it leaves out. */
export interface RolloutPlan {
  readonly steps: Steps;
  readonly maxUnavailable: number;
  readonly batches: readonly (readonly Session[])[];
  /** On Windows, where nobody but the machine itself can restart them. */
  readonly leftOut: readonly Session[];
}

/** Plans a rollout of these agents in batches. */
export function planRollout(sessions: readonly Session[], steps: Steps, maxUnavailable: number): RolloutPlan {
  const leftOut = steps.restart ? sessions.filter(isOnWindows) : [];
  const reached = sessions.filter((session) => !leftOut.includes(session));
  const batches = Array.from({ length: Math.ceil(reached.length / maxUnavailable) }, (_, index) =>
    reached.slice(index * maxUnavailable, (index + 1) * maxUnavailable),
  );
  return { steps, maxUnavailable, batches, leftOut };
}

/** The commands of a rollout in which no agent refuses, in order. */
export function commandsOf({
  batches,
  steps,
}: RolloutPlan): readonly { readonly command: Command; readonly session: Session }[] {
  const commands = (['update', 'restart'] as const).filter((command) => steps[command]);
  return batches.flatMap((batch) => commands.flatMap((command) => batch.map((session) => ({ command, session }))));
}

const windows = `Left out: agents on Windows cannot be restarted from here. Update them with \`sluice sessions update\`,
then restart their service on the machine itself.`;

/** The plan for people. */
export function rolloutPlanText(plan: RolloutPlan, palette: Palette): string {
  const { batches, leftOut, steps } = plan;
  const reached = batches.flat();
  const alike = steps.restart ? ambiguousSessions(reached) : 0;
  const batched = reached.length === 0 ? [] : ['BATCH', ...sessionColumns];
  return [
    `${summary(plan)}\n`,
    reached.length === 0
      ? ''
      : `\n${table(
          batched,
          batches.flatMap((batch, index) => batch.map((session) => [String(index + 1), ...sessionRow(session)])),
          palette,
        )}`,
    leftOut.length === 0
      ? ''
      : `\n${windows}\n${leftOut.map(({ id, os }) => `  ${safeText(id)}  ${safeText(os)}\n`).join('')}`,
    alike === 0
      ? ''
      : `\n${alike} of these agents cannot be told from another one: same credential, address, system and metadata. They are counted when they come back.\n`,
  ].join('');
}

/** The plan for machines. */
export function rolloutPlanJson({
  steps,
  maxUnavailable,
  batches,
  leftOut,
}: RolloutPlan): Readonly<Record<string, unknown>> {
  return {
    steps: stepNames(steps),
    max_unavailable: maxUnavailable,
    batches: batches.map((batch) => batch.map(({ id }) => id)),
    left_out: leftOut.map(({ id, os }) => ({ id, os, code: 'RESTART_NOT_SUPPORTED' })),
  };
}

/** What is done to each agent, in order. */
export function stepNames({ update, restart }: Steps): readonly string[] {
  return [...(update ? ['update'] : []), ...(restart ? ['restart'] : [])];
}

function summary({ steps, maxUnavailable, batches }: RolloutPlan): string {
  const reached = batches.flat().length;
  if (reached === 0) return 'No agent is online that this would reach.';
  const what = `Rollout to ${counted(reached, 'agent')}: ${stepNames(steps).join(', then ')}`;
  if (!steps.restart) return `${what}. No agent is restarted; each runs its old version until it is.`;
  return `${what}; ${counted(batches.length, 'batch', 'batches')}, at most ${maxUnavailable} away at once.`;
}
