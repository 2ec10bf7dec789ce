import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';

/** A moment by two clocks, in milliseconds: a monotonic one, which may stand still while the machine is suspended, and the wall clock, which may be set. */
export interface Instant {
  readonly monotonic: number;
  readonly wall: number;
}

/** Time as leases need it. */
export interface LeaseTime {
  readonly now: () => Instant;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Does something again and again, for as long as the program has other work; the result ends it. */
  readonly every: (ms: number, work: () => void) => () => void;
}

/** How long ago a moment was at most: by this a holder stops itself. */
export function longestSince(then: Instant, now: Instant): number {
  return Math.max(now.monotonic - then.monotonic, now.wall - then.wall);
}

/** How long ago a moment was at least: by this another holder is dead. */
export function shortestSince(then: Instant, now: Instant): number {
  return Math.min(now.monotonic - then.monotonic, now.wall - then.wall);
}

/** The time of this machine. The monotonic clock is the same in all threads of a process. */
export const machineTime: LeaseTime = {
  now: () => ({ monotonic: Number(process.hrtime.bigint() / 1_000n) / 1_000, wall: Date.now() }),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  },
  every: (ms, work) => {
    const timer = setInterval(work, ms).unref();
    return () => clearInterval(timer);
  },
};
