import { UsageError } from '../../../stack/usage-error.ts';
import { userName } from '../../../state/user-name.ts';
import { wakeWatch } from '../../../watch/control/ask-watch.ts';
import { keptText, mostKept } from '../../../watch/kept-text.ts';
import { noWatchHere, startOne } from './no-watch-text.ts';
import { operatorReason } from './operator-reason.ts';
import { updateOperatorRequests } from '../../../watch/operator-requests.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
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
  const isAwake = await withStateHere(context, async (backend) => {
    await updateOperatorRequests(backend.document('watch-requests'), (before) => ({ ...before, pause: next }), now);
    return wakeWatch(backend);
  });
  const text = new Date(until).toISOString();
  const unheard = isAwake
    ? ''
    : `${noWatchHere} A watch on another machine pauses when it next reads its requests. A watch that starts before the end of the pause is paused as well.\n`;
  context.result(
    () => `Paused until ${text}. Run \`sluice resume\` to end the pause earlier.\n${unheard}`,
    () => ({ format_version: '1.0', paused_until: text, watch_answered: isAwake }),
  );
  return exitCodes.done;
}

/** Ends a pause. */
export async function resume(context: Context): Promise<number> {
  const now = (context.io.now ?? Date.now)();
  let isPaused = false;
  const isAwake = await withStateHere(context, async (backend) => {
    await updateOperatorRequests(
      backend.document('watch-requests'),
      ({ pause: before, ...rest }) => {
        isPaused = before !== undefined && before.until > now;
        return rest;
      },
      now,
    );
    return wakeWatch(backend);
  });
  const nothing = isAwake ? 'The watch is not paused.' : 'No pause is recorded.';
  const unheard = isAwake
    ? ''
    : `${noWatchHere} A watch on another machine continues when it next reads its requests. ${startOne}\n`;
  context.result(
    () => `${isPaused ? 'Resumed.' : nothing}\n${unheard}`,
    () => ({ format_version: '1.0', paused_until: null, watch_answered: isAwake }),
  );
  return exitCodes.done;
}
