import { UsageError } from '../../../stack/usage-error.ts';
import type { Backend } from '../../../state/backend.ts';
import { wakeWatch } from '../../../watch/control/ask-watch.ts';
import { keptText, mostKept } from '../../../watch/kept-text.ts';

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

/** None answered at the socket. */
export const noWatchHere = 'No watch of this stack responds on this machine.';

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
