import { UsageError } from '../../../stack/usage-error.ts';
import type { Backend } from '../../../state/backend.ts';
import { userName } from '../../../state/lease/lease.ts';
import { restoreWatchState, wakeWatch } from '../../../watch/control/ask-watch.ts';
import { keptText, mostKept } from '../../../watch/kept-text.ts';
import { recordPause } from '../../../watch/operator-requests.ts';
import type { Context } from '../../context.ts';
import { withStateHere } from '../../with-backend.ts';

interface PauseFlags {
  /** Seconds from now. */
  readonly for?: number;
  readonly until?: string;
  readonly reason?: string;
}

const HOUR = 3600;

/** Pauses the watch of a stack until a time; it releases the lock meanwhile. */
export async function pause(context: Context, flags: PauseFlags): Promise<number> {
  const now = (context.io.now ?? Date.now)();
  const until = flags.until === undefined ? now + (flags.for ?? HOUR) * 1000 : Date.parse(flags.until);
  if (!(until > now)) throw new UsageError('--until must be a time in the future, such as 2030-01-31T18:00:00Z');
  const next = {
    until,
    at: now,
    by: keptText(userName(), mostKept.name),
    ...operatorReason(flags.reason),
  };
  const answer = await withStateHere(context, async (backend) => {
    await recordPause(backend, next, now);
    return tellWatch(backend);
  });
  const text = new Date(until).toISOString();
  const unheard =
    answer === 'answered'
      ? ''
      : `${laterWatch(answer)} pauses when the watch next reads the recorded pauses and approvals. A watch that starts before the end of the pause is paused as well.\n`;
  return context.done(`Paused until ${text}. Run \`sluice resume\` to end the pause earlier.\n${unheard}`, {
    paused_until: text,
    watch_answered: answer === 'answered',
  });
}

/** Ends a pause. */
export async function resume(context: Context): Promise<number> {
  const now = (context.io.now ?? Date.now)();
  let isPaused = false;
  const answer = await withStateHere(context, async (backend) => {
    await restoreWatchState(backend);
    const before = await recordPause(backend, undefined, now);
    isPaused = before !== undefined && before.until > now;
    return tellWatch(backend);
  });
  return context.done(resumeText(answer, isPaused), { paused_until: null, watch_answered: answer === 'answered' });
}

function resumeText(answer: WatchAnswer, isPaused: boolean): string {
  const result = isPaused ? 'Resumed.\n' : 'No pause is recorded.\n';
  if (answer === 'answered') return isPaused ? result : 'The watch is not paused.\n';
  const later = isPaused
    ? `${laterWatch(answer)} continues when the watch next reads the recorded pauses and approvals.`
    : noWatchHere;
  if (answer === 'no-answer') return `${result}${later} ${startOne}\n`;
  return isPaused ? `${result}${later}\n` : result;
}

/** Whether a watch has read a request; `not-asked`: a state in a shared store has no socket, so nobody knows whether a watch runs. */
export type WatchAnswer = 'answered' | 'no-answer' | 'not-asked';

/** Has a running watch read what was recorded for it. */
export async function tellWatch(backend: Pick<Backend, 'socketPath'>): Promise<WatchAnswer> {
  if (backend.socketPath === undefined) return 'not-asked';
  return (await wakeWatch(backend)) ? 'answered' : 'no-answer';
}

/** Which watch a request reaches later that none has read yet: the beginning of a sentence. */
export function laterWatch(answer: Exclude<WatchAnswer, 'answered'>): string {
  return answer === 'not-asked' ? 'A running watch' : `${noWatchHere} A watch of another user or on another machine`;
}

const noWatchHere = 'No watch of this stack responds on this machine.';

/** What to do if no watch runs anywhere. */
export const startOne = 'If no watch runs, start one with `sluice watch`.';

/** The reason that an operator gives, as it is kept; a long one is refused. */
export function operatorReason(reason: string | undefined): { readonly reason?: string } {
  if (reason === undefined) return {};
  if (reason.length > mostKept.reason)
    throw new UsageError(
      `--reason has ${String(reason.length)} characters; the limit is ${String(mostKept.reason)}`,
      'shorten the reason, or pass a link to it',
    );
  return { reason: keptText(reason, mostKept.reason) };
}
