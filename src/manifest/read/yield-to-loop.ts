import { setImmediate } from 'node:timers/promises';
import type { Pause } from '../../model/sliced.ts';

const everyMs = 4;

/** Gives the event loop a turn every few milliseconds, so that long reading does not starve sockets. */
export function yieldToLoop(): Pause {
  let since = performance.now();
  const turn = async (): Promise<void> => {
    await setImmediate();
    since = performance.now();
  };
  return () => (performance.now() - since < everyMs ? undefined : turn());
}
