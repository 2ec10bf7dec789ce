/*
 * A rollout processes agents in batches, so that no more agents than allowed are offline at the same time. Per batch:
 *
 *   update    each agent in sequence    not available: the agent is done    already updating or updated: continue
 *   wait      ten seconds after the last update; an earlier restart would revert the update
 *   restart   each agent in sequence
 *   reconnect until each agent has a new session, with a new version if it was updated
 *
 * The first failure, refusal, lost response or Ctrl-C stops the rollout: no further command is sent in any batch. For
 * agents that were restarted before, it still waits until they reconnect, so that their reported result is final.
 */
import { hasSlept } from '../../../api/clock.ts';
import { SluiceError } from '../../../diagnostics/errors.ts';
import { sendCommand, type CommandResult } from './send-command.ts';
import { returned } from './returned-session.ts';
import type { RolloutPlan } from './rollout-plan.ts';
import { onlineSessions } from './select-sessions.ts';
import type { Session } from './session.ts';
import type { Service } from '../../../stack/service/open-service.ts';
import { present } from '../../../model/present.ts';

/** The steps for every agent, in order. */
export type Steps = readonly ('update' | 'restart')[];

/** The result of the rollout for one agent. */
export interface AgentOutcome extends Pick<CommandResult, 'code' | 'status' | 'message' | 'hint'> {
  readonly session: Session;
  /**
   * `up-to-date`: no update was available, so nothing was done. `offline`: the agent went offline without a command. `updated`:
   * the agent still has to be restarted, because the rollout stopped or restarts were not requested.
   */
  readonly ending: 'done' | 'up-to-date' | 'updated' | 'offline' | 'failed' | 'unknown' | 'not-started';
  readonly back?: Session;
  /** A restart was sent, and no session of the agent is known to be online since. */
  readonly isAway?: true;
}

interface Roll extends Pick<RolloutPlan, 'batches' | 'steps'>, Omit<Service, 'close'> {
  readonly signal: AbortSignal;
  /** How long to wait for an agent to reconnect, in milliseconds. */
  readonly timeoutMs: number;
  readonly onProgress: (text: string) => void;
}

/** The service requires ten seconds; the margin allows for clocks that differ. */
const updateTakesMs = 10_500;
const firstPollMs = 1_000;
const longestPauseMs = 5_000;

/** Runs a rollout; returns the result for every agent, in their order. */
export async function roll(options: Roll): Promise<readonly AgentOutcome[]> {
  const outcomes = new Map<string, AgentOutcome>();
  for (const [index, batch] of options.batches.entries()) {
    if (options.signal.aborted || [...outcomes.values()].some(isFailure)) break;
    options.onProgress(`Batch ${index + 1} of ${options.batches.length}`);
    for (const outcome of await rollBatch(batch, options)) outcomes.set(outcome.session.id, outcome);
  }
  return options.batches.flat().map((session) => outcomes.get(session.id) ?? { session, ending: 'not-started' });
}

async function rollBatch(batch: readonly Session[], options: Roll): Promise<readonly AgentOutcome[]> {
  const { steps, clock, signal, onProgress } = options;
  const updates = steps.includes('update') ? await each(batch, updateOne, options) : [];
  const updated = updates.filter(({ ending }) => ending === 'updated').map(({ session }) => session);
  if (!steps.includes('restart') || updates.some(isFailure) || signal.aborted) return updates;
  const toRestart = steps.includes('update') ? updated : batch;
  if (updated.length > 0) {
    onProgress(`  waiting ten seconds for ${updated.length === 1 ? 'the update' : 'the updates'}`);
    // If interrupted, the result is the same as without --restart.
    if (!(await hasSlept(clock, updateTakesMs, signal))) return updates;
  }
  const restarts: AgentOutcome[] = [];
  // A lost response interrupts sending. If all agents have reconnected nevertheless, the rollout continues.
  while (restarts.length < toRestart.length && !restarts.some(isFailure) && !isAborted(signal))
    restarts.push(...(await restartAll(toRestart.slice(restarts.length), new Set(updated), options)));
  return merged(updates, restarts);
}

/** In sequence, up to the first failure. */
async function each(
  sessions: readonly Session[],
  one: (session: Session, options: Roll) => Promise<AgentOutcome>,
  options: Roll,
): Promise<AgentOutcome[]> {
  const outcomes: AgentOutcome[] = [];
  for (const session of sessions) {
    if (options.signal.aborted || outcomes.some(isFailure)) break;
    outcomes.push(await one(session, options));
  }
  return outcomes;
}

async function updateOne(session: Session, { writer, onProgress }: Roll): Promise<AgentOutcome> {
  const sent = await sendCommand(writer, 'update', session);
  const outcome = outcomeOfUpdate(session, sent);
  onProgress(`  ${updateText(outcome, sent)}`);
  return outcome;
}

function updateText(outcome: AgentOutcome, sent: CommandResult): string {
  const { id } = outcome.session;
  if (outcome.ending === 'up-to-date') return `${id} is up to date`;
  if (outcome.ending !== 'updated') return `${id} ${problemText(outcome)}`;
  return sent.ending === 'done' ? `${id} is updating` : `${id} has a pending update`;
}

function outcomeOfUpdate(session: Session, sent: CommandResult): AgentOutcome {
  if (sent.ending === 'done') return { session, ending: 'updated' };
  if (sent.code === 'UPDATE_NOT_AVAILABLE') return { session, ending: 'up-to-date' };
  if (sent.code === 'UPDATE_IN_PROGRESS' || sent.code === 'UPDATE_NEEDS_RESTART') return { session, ending: 'updated' };
  return outcomeOf(session, sent);
}

async function restartOne(session: Session, { writer, onProgress }: Roll): Promise<AgentOutcome> {
  const outcome = outcomeOf(session, await sendCommand(writer, 'restart', session));
  onProgress(outcome.ending === 'done' ? `  ${session.id} is restarting` : `  ${session.id} ${problemText(outcome)}`);
  return outcome;
}

async function restartAll(
  sessions: readonly Session[],
  updated: ReadonlySet<Session>,
  options: Roll,
): Promise<readonly AgentOutcome[]> {
  const before = await readSessions(options);
  if (before instanceof SluiceError)
    return sessions.map((session, index) =>
      index === 0
        ? { session, ending: 'failed', code: before.code, message: `the agent was not restarted: ${before.message}` }
        : { session, ending: updated.has(session) ? 'updated' : 'not-started' },
    );
  const sent = await each(sessions, restartOne, options);
  // A restart whose response was lost may have happened: reconnected agents show whether it did.
  const away = sent.filter(({ ending }) => ending === 'done' || ending === 'unknown').map(({ session }) => session);
  const seen = away.length === 0 ? nobodySeen : await awaitReturn(away, before, options);
  return sent.map((outcome) => {
    if (outcome.ending !== 'done' && outcome.ending !== 'unknown') return outcome;
    if (seen instanceof SluiceError) return unknownAfterRestart(outcome, seen.message, seen.code);
    const back = seen.back.get(outcome.session.id);
    if (back !== undefined) return backAs(outcome.session, back, updated.has(outcome.session));
    if (options.signal.aborted) return unknownAfterRestart(outcome, 'the rollout was interrupted', 'INTERRUPTED');
    const missing = notReconnected(outcome, options.timeoutMs);
    return seen.online.has(outcome.session.id) ? missing : { ...missing, isAway: true };
  });
}

/** Agents after a restart: the new session of each that has reconnected, by its old id, and every session that is online. */
interface Seen {
  readonly back: ReadonlyMap<string, Session>;
  readonly online: ReadonlySet<string>;
}

const nobodySeen: Seen = { back: new Map(), online: new Set() };

async function awaitReturn(
  away: readonly Session[],
  before: readonly Session[],
  options: Roll,
): Promise<Seen | SluiceError> {
  const { clock, signal, timeoutMs, onProgress } = options;
  const until = clock.now() + timeoutMs;
  const reported = new Set<string>();
  let seen = nobodySeen;
  for (let pause = firstPollMs; ; pause = Math.min(longestPauseMs, pause * 2)) {
    const left = until - clock.now();
    if (left <= 0 || !(await hasSlept(clock, Math.min(pause, left), signal))) return seen;
    const now = await readSessions(options);
    if (now instanceof SluiceError) return now;
    const back = returned(away, before, now);
    seen = { back, online: new Set(now.map(({ id }) => id)) };
    for (const [id, session] of back)
      if (!reported.has(id)) onProgress(`  ${id} reconnected as ${session.id}, version ${session.version}`);
    for (const id of back.keys()) reported.add(id);
    if (back.size === away.length) return seen;
  }
}

async function readSessions({ reader }: Roll): Promise<readonly Session[] | SluiceError> {
  try {
    return await onlineSessions(reader);
  } catch (error) {
    if (error instanceof SluiceError) return error;
    throw error;
  }
}

function backAs(session: Session, back: Session, updated: boolean): AgentOutcome {
  if (!updated || back.version !== session.version) return { session, ending: 'done', back };
  return {
    session,
    ending: 'failed',
    back,
    code: 'VERSION_UNCHANGED',
    message: `the agent reconnected as ${back.id} with its old version ${back.version}: the update did not complete`,
    hint: 'check the log of the agent, then run the rollout again to retry the update',
  };
}

function notReconnected({ session, ending }: AgentOutcome, timeoutMs: number): AgentOutcome {
  const sent = ending === 'done' ? 'the agent was restarted' : 'the agent may have been restarted (no response)';
  return {
    session,
    ending: ending === 'done' ? 'failed' : 'unknown',
    code: 'NOT_RECONNECTED',
    message: `${sent} but has not reconnected with a new session after ${Math.round(timeoutMs / 1000)} s`,
    hint: 'check the agent on its machine, or set a longer --timeout',
  };
}

function unknownAfterRestart({ session }: AgentOutcome, message: string, code: string): AgentOutcome {
  return {
    session,
    ending: 'unknown',
    isAway: true,
    code,
    message: `the restart was sent, but it is unknown whether the agent has reconnected: ${message}`,
    hint: 'run `sluice sessions list` to check',
  };
}

function outcomeOf(session: Session, { ending, code, status, message, hint }: CommandResult): AgentOutcome {
  return {
    session,
    ending: code === 'NOT_FOUND' ? 'offline' : ending,
    ...present({ code, status, message, hint }),
  };
}

/** The result of a restart replaces the result of the update. */
function merged(updates: readonly AgentOutcome[], restarts: readonly AgentOutcome[]): readonly AgentOutcome[] {
  const restarted = new Set(restarts.map(({ session }) => session));
  return [...updates.filter(({ session }) => !restarted.has(session)), ...restarts];
}

function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

function isFailure({ ending }: AgentOutcome): boolean {
  return ending === 'failed' || ending === 'unknown';
}

function problemText({ ending, message }: AgentOutcome): string {
  return `${ending === 'offline' ? 'skipped' : ending}: ${message ?? ''}`;
}
