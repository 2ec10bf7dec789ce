import { stepNames, type RolloutPlan } from './rollout-plan.ts';
import type { SessionSelection } from './select-sessions.ts';
import type { Session } from './session.ts';

/** What a rollout was asked for, and whom it has not finished with. */
export interface Unfinished {
  readonly ids: readonly string[];
  readonly selection: SessionSelection;
  readonly plan: RolloutPlan;
  readonly timeout: number;
  readonly open: readonly Session[];
}

/**
 * The command that goes on where a rollout has stopped. The service remembers nothing of one, so the command does: of
 * agents named by id it names those that are left. Of a condition it repeats the condition: agents that were updated
 * are then found to be on the newest version. Where agents were only restarted, those that are done are known by when
 * their session began: later than any that the rollout began with.
 */
export function resumption({ ids, selection, plan, timeout, open }: Unfinished): string {
  const { steps, maxUnavailable } = plan;
  const isRestartOnly = steps.restart && !steps.update;
  const limit = selection.startedBefore ?? (isRestartOnly ? afterNewest(plan.batches.flat()) : undefined);
  const { all } = selection;
  const words = [
    'sluice sessions rollout',
    ...stepNames(steps).map((step) => `--${step}`),
    ...(ids.length > 0 ? open.map(({ id }) => id) : conditions(selection)),
    // The time is a condition of its own, and --all takes none.
    ...(ids.length > 0 ? [] : limit !== undefined ? [`--started-before ${limit}`] : all === true ? ['--all'] : []),
    `--max-unavailable ${maxUnavailable}`,
    `--timeout ${timeout}`,
  ];
  return words.join(' ');
}

function conditions({ region, os, version, credential, metadata }: SessionSelection): string[] {
  const several = { region, os, credential, metadata };
  return [
    ...Object.entries(several).flatMap(([name, values]) => (values ?? []).map((value) => `--${name} ${quoted(value)}`)),
    ...(version === undefined ? [] : [`--version ${quoted(version)}`]),
  ];
}

/** Times are told to the second: the one after that of the newest session. */
function afterNewest(sessions: readonly Session[]): string | undefined {
  const newest = Math.max(...sessions.map(({ startedAt }) => Date.parse(startedAt)));
  return Number.isNaN(newest) ? undefined : new Date(newest + 1000).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A word as a shell takes it for one. */
function quoted(text: string): string {
  return /^[\w.,:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
