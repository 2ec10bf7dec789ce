/*
 * A rollout goes batch by batch, so that never more agents than allowed are away at once. Within a batch:
 *
 *   update    each agent, one after another    not available: it is done   updating, or updated already: goes on
 *   wait      ten seconds after the last update; a restart that comes sooner undoes it
 *   restart   each agent, one after another
 *   return    until each is back under a new session, and with a new version where it was updated
 *
 * The first failure, refusal, lost answer or Ctrl-C ends it: no command is sent after that, in this batch or another.
 * Agents that were restarted before it are still waited for, so that what is told of them is what became of them.
 */
import type { Client } from '../../../api/client.ts';
import { hasSlept, type Clock } from '../../../api/clock.ts';
import { SluiceError } from '../../../diagnostics/errors.ts';
import { sendCommand, type CommandResult } from './send-command.ts';
import { returned } from './returned-session.ts';
import { onlineSessions } from './select-sessions.ts';
import type { Session } from './session.ts';

/** What is done to every agent. */
export interface Steps {
  readonly update: boolean;
  readonly restart: boolean;
}

/** How the rollout ended for one agent. */
export interface AgentOutcome {
  readonly session: Session;
  /**
   * `newest`: there was nothing to update, so it was left alone. `gone`: it had gone offline by itself. `updated`: it
   * has to be restarted yet, because the rollout ended or restarting was not asked for.
   */
  readonly ending: 'done' | 'newest' | 'updated' | 'gone' | 'failed' | 'unknown' | 'not-started';
  readonly back?: Session;
  readonly code?: string;
  readonly status?: number;
  readonly message?: string;
  readonly hint?: string;
}

/** What a rollout works with. */
export interface Roll {
  readonly batches: readonly (readonly Session[])[];
  readonly steps: Steps;
  readonly reader: Client;
  readonly writer: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long an agent may take to be back, in milliseconds. */
  readonly patienceMs: number;
  readonly onProgress: (text: string) => void;
}

/** The service asks for ten seconds; a little more, for clocks that do not run alike. */
const updateTakesMs = 10_500;
const firstLookMs = 1_000;
const longestPauseMs = 5_000;

/** Carries a rollout out; answers how it ended for every agent, in their order. */
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
  const updates = steps.update ? await each(batch, updateOne, options) : [];
  const updated = updates.filter(({ ending }) => ending === 'updated').map(({ session }) => session);
  if (!steps.restart || updates.some(isFailure) || signal.aborted) return updates;
  const toRestart = steps.update ? updated : batch;
  if (updated.length > 0) {
    onProgress(`  waiting ten seconds for ${updated.length === 1 ? 'its update' : 'the updates'}`);
    // Interrupted, it is as if the updates alone had been asked for.
    if (!(await hasSlept(clock, updateTakesMs, signal))) return updates;
  }
  const restarts: AgentOutcome[] = [];
  // A lost answer interrupts the sending. Where everybody has been seen to be back all the same, it goes on.
  while (restarts.length < toRestart.length && !restarts.some(isFailure) && !isAborted(signal))
    restarts.push(...(await restartAll(toRestart.slice(restarts.length), new Set(updated), options)));
  return merged(updates, restarts);
}

/** One after another, up to the first failure. */
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
  onProgress(`  ${session.id} ${updateText(outcome, sent)}`);
  return outcome;
}

function updateText(outcome: AgentOutcome, sent: CommandResult): string {
  if (outcome.ending === 'newest') return 'is on the newest version';
  if (outcome.ending !== 'updated') return trouble(outcome);
  return sent.ending === 'done' ? 'updates' : 'has an update to finish';
}

function outcomeOfUpdate(session: Session, sent: CommandResult): AgentOutcome {
  if (sent.ending === 'done') return { session, ending: 'updated' };
  if (sent.code === 'UPDATE_NOT_AVAILABLE') return { session, ending: 'newest' };
  if (sent.code === 'UPDATE_IN_PROGRESS' || sent.code === 'UPDATE_NEEDS_RESTART') return { session, ending: 'updated' };
  return outcomeOf(session, sent);
}

async function restartOne(session: Session, { writer, onProgress }: Roll): Promise<AgentOutcome> {
  const outcome = outcomeOf(session, await sendCommand(writer, 'restart', session));
  onProgress(`  ${session.id} ${outcome.ending === 'done' ? 'restarts' : trouble(outcome)}`);
  return outcome;
}

async function restartAll(
  sessions: readonly Session[],
  updated: ReadonlySet<Session>,
  options: Roll,
): Promise<readonly AgentOutcome[]> {
  const before = await look(options);
  if (before instanceof SluiceError)
    return sessions.map((session, index) =>
      index === 0
        ? { session, ending: 'failed', code: before.code, message: `it was not restarted: ${before.message}` }
        : { session, ending: updated.has(session) ? 'updated' : 'not-started' },
    );
  const sent = await each(sessions, restartOne, options);
  // A restart whose answer was lost may have happened: whether it did is seen by who comes back.
  const away = sent.filter(({ ending }) => ending === 'done' || ending === 'unknown').map(({ session }) => session);
  const seen = away.length === 0 ? new Map<string, Session>() : await awaitReturn(away, before, options);
  return sent.map((outcome) => {
    if (outcome.ending !== 'done' && outcome.ending !== 'unknown') return outcome;
    if (seen instanceof SluiceError) return notSeen(outcome, seen.message, seen.code);
    const back = seen.get(outcome.session.id);
    if (back === undefined)
      return options.signal.aborted
        ? notSeen(outcome, 'it was restarted, and the rollout was interrupted before it was back', 'INTERRUPTED')
        : notBack(outcome, options.patienceMs);
    return backAs(outcome.session, back, updated.has(outcome.session));
  });
}

/** Looks until everybody is back, or time is up. */
async function awaitReturn(
  away: readonly Session[],
  before: readonly Session[],
  options: Roll,
): Promise<ReadonlyMap<string, Session> | SluiceError> {
  const { clock, signal, patienceMs, onProgress } = options;
  const until = clock.now() + patienceMs;
  const told = new Set<string>();
  let back: ReadonlyMap<string, Session> = new Map();
  for (let pause = firstLookMs; ; pause = Math.min(longestPauseMs, pause * 2)) {
    const left = until - clock.now();
    if (left <= 0 || !(await hasSlept(clock, Math.min(pause, left), signal))) return back;
    const now = await look(options);
    if (now instanceof SluiceError) return now;
    back = returned(away, before, now);
    for (const [id, session] of back)
      if (!told.has(id)) onProgress(`  ${id} is back as ${session.id}, version ${session.version}`);
    for (const id of back.keys()) told.add(id);
    if (back.size === away.length) return back;
  }
}

async function look({ reader }: Roll): Promise<readonly Session[] | SluiceError> {
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
    message: `it is back as ${back.id} with its old version ${back.version}: the update was not finished`,
    hint: 'look at the log of the agent; running the rollout again updates it again',
  };
}

function notBack({ session, ending }: AgentOutcome, patienceMs: number): AgentOutcome {
  const wasTold = ending === 'done' ? 'it was restarted' : 'it was told to restart, though no answer came';
  return {
    session,
    ending: ending === 'done' ? 'failed' : 'unknown',
    code: 'NOT_RECONNECTED',
    message: `${wasTold}, and was not back under a new session after ${Math.round(patienceMs / 1000)} s`,
    hint: 'look after it on the machine itself; --timeout gives agents longer to be back',
  };
}

function notSeen({ session }: AgentOutcome, message: string, code: string): AgentOutcome {
  return {
    session,
    ending: 'unknown',
    code,
    message: `it was told to restart, and whether it is back is not known: ${message}`,
    hint: '`sluice sessions list` shows whether it is',
  };
}

function outcomeOf(session: Session, { ending, code, status, message, hint }: CommandResult): AgentOutcome {
  return {
    session,
    ending: code === 'NOT_FOUND' ? 'gone' : ending,
    ...(code === undefined ? {} : { code }),
    ...(status === undefined ? {} : { status }),
    ...(message === undefined ? {} : { message }),
    ...(hint === undefined ? {} : { hint }),
  };
}

/** What came of restarting says more than what came of updating. */
function merged(updates: readonly AgentOutcome[], restarts: readonly AgentOutcome[]): readonly AgentOutcome[] {
  const restarted = new Set(restarts.map(({ session }) => session));
  return [...updates.filter(({ session }) => !restarted.has(session)), ...restarts];
}

function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Whether the rollout ends here. */
function isFailure({ ending }: AgentOutcome): boolean {
  return ending === 'failed' || ending === 'unknown';
}

function trouble({ ending, message }: AgentOutcome): string {
  return `${ending === 'gone' ? 'is left out' : ending}: ${message ?? ''}`;
}
