import type { Clock } from './clock.ts';
import { givenPace, learnedPace, type Pace } from './pace.ts';
import type { Rate } from './rate.ts';

/** Lets requests go no faster than the service allows. One for all requests of a process. */
export interface Limiter {
  /** Resolves when a request may go, first come first served; what it resolves to must be told once it is over. */
  readonly admit: (signal?: AbortSignal) => Promise<Heard>;
}

/** Told how a request was answered, without a status when it was not, so that a limit nobody wrote down is learned. */
export type Heard = (status: number | undefined, retryAfterMs?: number) => void;

// A service that asks for longer is asked again all the same: one answer must not hold up everything for days.
const longestHoldMs = 120_000;

// For a service that does not say how long: doubled with each refusal until something passes.
const firstHoldMs = 1_000;

/**
 * Makes a limiter. A given rate is kept from the first request on. Without one nothing is held back until the service
 * answers 429; `onLearned` is told of each pace learned from that, in milliseconds between two requests.
 */
export function createLimiter(rate: Rate | undefined, clock: Clock, onLearned?: (gapMs: number) => void): Limiter {
  const pace: Pace = rate === undefined ? learnedPace() : givenPace(rate);
  let underWay = 0;
  let holdUntil = -Infinity;
  let holdMs = firstHoldMs;
  let turn: Promise<void> = Promise.resolve();
  let tell: () => void = () => undefined;

  async function waitForSlot(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const now = clock.now();
      // What is under way now may be over by the time that one alone could start.
      const earliest = Math.max(pace.nextStart(now, 0), holdUntil);
      const left = (earliest > now ? earliest : pace.nextStart(now, underWay)) - now;
      if (left <= 0) return;
      if (left < Infinity) await clock.sleep(left, signal);
      else await new Promise<void>((answered) => (tell = answered));
      signal?.throwIfAborted();
    }
  }

  function begin(): Heard {
    const ticket = pace.start(clock.now());
    underWay += 1;
    return (status, retryAfterMs) => {
      underWay -= 1;
      tell();
      const now = clock.now();
      if (status === 429) {
        const hold = Math.min(retryAfterMs ?? holdMs, longestHoldMs);
        holdUntil = Math.max(holdUntil, now + hold);
        const gap = pace.refused(now, hold, ticket);
        if (gap === undefined) return;
        holdMs = Math.min(holdMs * 2, longestHoldMs);
        onLearned?.(gap);
      } else if (status !== undefined) {
        holdMs = firstHoldMs;
        pace.passed(now, ticket);
      }
    };
  }

  return {
    admit: async (signal) => {
      const before = turn;
      let done: () => void = () => undefined;
      turn = new Promise((resolve) => (done = resolve));
      await before;
      try {
        await waitForSlot(signal);
        return begin();
      } finally {
        done();
      }
    },
  };
}
