import { setTimeout as wait } from 'node:timers/promises';

/** Waits; at once over when the signal aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}

/** Does something again and again until the signal aborts; answers how often. What it has begun is finished. */
export async function again(signal: AbortSignal, act: (round: number) => Promise<void>): Promise<number> {
  let rounds = 0;
  while (!signal.aborted) {
    await act(rounds);
    rounds += 1;
  }
  return rounds;
}
