import { safeText } from '../../../diagnostics/safe-text.ts';
import { shellWord } from '../../../render/status/sluice-command.ts';
import type { RolloutPlan } from './rollout-plan.ts';
import type { SessionSelection } from './select-sessions.ts';
import type { AgentOutcome } from './roll.ts';
import type { Session } from './session.ts';

/** The arguments of a rollout, and the agents that it has not finished. */
export interface Unfinished {
  readonly ids: readonly string[];
  readonly selection: SessionSelection;
  readonly plan: RolloutPlan;
  readonly timeout: number;
  readonly open: readonly AgentOutcome[];
}

/**
 * The command that continues a stopped rollout. The service stores nothing about a rollout, so the command contains it.
 * For agents given by id, it lists the sessions that they have now; undefined if none is known. For filters, it repeats the filters: agents that were updated are
 * then up to date. If agents were only restarted, finished agents are excluded by the start of their session, which is
 * later than that of every agent at the start of the rollout.
 */
export function resumption({ ids, selection, plan, timeout, open }: Unfinished): string | undefined {
  const { steps, maxUnavailable } = plan;
  const isRestartOnly = !steps.includes('update');
  const limit = selection.startedBefore ?? (isRestartOnly ? afterNewest(plan.batches.flat()) : undefined);
  const { all } = selection;
  const online = open.filter(({ isAway }) => isAway !== true).map(({ session, back = session }) => shellWord(back.id));
  if (ids.length > 0 && online.length === 0) return undefined;
  const words = [
    'sluice sessions rollout',
    ...steps.map((step) => `--${step}`),
    ...(ids.length > 0 ? online : conditions(selection)),
    // The time is a filter, which --all does not allow.
    ...(ids.length > 0 ? [] : limit !== undefined ? [`--started-before ${limit}`] : all === true ? ['--all'] : []),
    `--max-unavailable ${maxUnavailable}`,
    `--timeout ${timeout}`,
  ];
  return words.join(' ');
}

/** For agents given by id: what to do about those that the command cannot name, as text; empty for none. */
export function notResumedText({ ids, open }: Pick<Unfinished, 'ids' | 'open'>): string {
  const away = ids.length === 0 ? [] : open.filter(({ isAway }) => isAway === true);
  if (away.length === 0) return '';
  const list = away.map(({ session }) => safeText(session.id)).join(', ');
  return `The new sessions of these agents are unknown: ${list}. Once they have reconnected, find the new ids with \`sluice sessions list\`, and start a rollout of these sessions.\n`;
}

function conditions({ region, os, version, credential, metadata }: SessionSelection): string[] {
  const several = { region, os, credential, metadata };
  return [
    ...Object.entries(several).flatMap(([name, values]) =>
      (values ?? []).map((value) => `--${name} ${shellWord(value)}`),
    ),
    ...(version === undefined ? [] : [`--version ${shellWord(version)}`]),
  ];
}

/** The second after the start of the newest session; the service rounds times to seconds. */
function afterNewest(sessions: readonly Session[]): string | undefined {
  const newest = Math.max(...sessions.map(({ startedAt }) => Date.parse(startedAt)));
  return Number.isNaN(newest) ? undefined : new Date(newest + 1000).toISOString().replace(/\.\d+Z$/, 'Z');
}
