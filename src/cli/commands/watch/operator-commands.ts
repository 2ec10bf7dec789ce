import { UsageError } from '../../../stack/usage-error.ts';
import { userName } from '../../../state/lease/lease.ts';
import { keptText, mostKept } from '../../../watch/kept-text.ts';
import { laterWatch, noWatchHere, operatorReason, startOne, tellWatch, type WatchAnswer } from './tell-watch.ts';
import { updateOperatorRequests } from '../../../watch/operator-requests.ts';
import type { Context } from '../../context.ts';
import { doneWith } from '../../output/done-with.ts';
import { withStateHere } from '../../with-backend.ts';

/** How long to pause a watch. */
export interface PauseFlags {
  /** Seconds from now. */
  readonly for?: number;
  /** A time, RFC 3339. */
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
    await updateOperatorRequests(backend.document('watch-requests'), (before) => ({ ...before, pause: next }), now);
    return tellWatch(backend);
  });
  const text = new Date(until).toISOString();
  const unheard =
    answer === 'answered'
      ? ''
      : `${laterWatch(answer)} pauses when the watch next reads the recorded pauses and approvals. A watch that starts before the end of the pause is paused as well.\n`;
  return doneWith(context, `Paused until ${text}. Run \`sluice resume\` to end the pause earlier.\n${unheard}`, {
    paused_until: text,
    watch_answered: answer === 'answered',
  });
}

/** Ends a pause. */
export async function resume(context: Context): Promise<number> {
  const now = (context.io.now ?? Date.now)();
  let isPaused = false;
  const answer = await withStateHere(context, async (backend) => {
    await updateOperatorRequests(
      backend.document('watch-requests'),
      ({ pause: before, ...rest }) => {
        isPaused = before !== undefined && before.until > now;
        return rest;
      },
      now,
    );
    return tellWatch(backend);
  });
  return doneWith(context, resumeText(answer, isPaused), { paused_until: null, watch_answered: answer === 'answered' });
}

/** What became of the pause, and which watch continues when. */
function resumeText(answer: WatchAnswer, isPaused: boolean): string {
  const result = isPaused ? 'Resumed.\n' : 'No pause is recorded.\n';
  if (answer === 'answered') return isPaused ? result : 'The watch is not paused.\n';
  const later = isPaused
    ? `${laterWatch(answer)} continues when the watch next reads the recorded pauses and approvals.`
    : noWatchHere;
  if (answer === 'no-answer') return `${result}${later} ${startOne}\n`;
  return isPaused ? `${result}${later}\n` : result;
}
