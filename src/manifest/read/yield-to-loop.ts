import { setImmediate } from 'node:timers/promises';

/** Gives the event loop a turn every few milliseconds, so that long reading does not starve sockets. */
export function yieldToLoop(everyMs = 4): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < everyMs) return;
    await setImmediate();
    since = performance.now();
  };
}
