import { setTimeout as delay } from 'node:timers/promises';

/** Time and chance, from outside, so that waiting can be tested without waiting. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or rejects as soon as the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
}

/** Sleeps; answers whether nothing has cut it short. */
export async function hasSlept({ sleep }: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, signal).then(
    () => true,
    () => false,
  );
}

/** Waits until a signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }));
}

// Node.js ends a longer timer at once.
const longestTimerMs = 2 ** 31 - 1;

/** The clock on the wall. */
export const wallClock: Clock = {
  now: () => performance.now(),
  sleep: async (ms, signal) => {
    await delay(Math.min(ms, longestTimerMs), undefined, signal === undefined ? {} : { signal });
  },
  random: () => Math.random(),
};
