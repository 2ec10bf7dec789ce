import type { Clock } from './clock.ts';

/** Lets requests go no faster than the service allows. One for all requests of a process. */
export interface Limiter {
  /** Resolves when a request may go, first come first served. */
  readonly admit: (signal?: AbortSignal) => Promise<void>;
  /** Told of every answer, so that a limit nobody wrote down is learned. */
  readonly heard: (status: number | undefined, retryAfterMs?: number) => void;
}

/** So many requests in so much time. */
export interface Rate {
  readonly requests: number;
  readonly perMs: number;
}

// So much of the quota may go at once; the rest is spread evenly, and both together fit into every window.
const burstShare = 0.04;

// A service that asks for longer is asked again all the same: one answer must not hold up everything for days.
const longestHoldMs = 120_000;

// What a limit nobody wrote down is taken for at first, and how the pace changes from there.
const learned = { firstGapMs: 100, longestGapMs: 60_000, holdMs: 1_000, slower: 2, faster: 0.98 };

/**
 * Makes a limiter. A given rate is kept from the first request on. Without one nothing is held back until the service
 * answers 429; then the pace is halved with each 429 and grows slowly while all goes well.
 */
export function createLimiter(rate: Rate | undefined, clock: Clock): Limiter {
  const burst = rate === undefined ? 1 : Math.max(1, Math.floor(rate.requests * burstShare));
  let gap = rate === undefined ? 0 : rate.perMs / Math.max(1, rate.requests - burst);
  let next = -Infinity;
  let holdUntil = -Infinity;
  let lastStep = -Infinity;
  let turn: Promise<void> = Promise.resolve();

  async function waitForSlot(signal: AbortSignal | undefined): Promise<void> {
    for (let left = Infinity; left > 0;) {
      left = Math.max(next, holdUntil) - clock.now();
      if (left > 0) await clock.sleep(left, signal);
    }
    next = Math.max(next, clock.now() - (burst - 1) * gap) + gap;
  }

  return {
    admit: async (signal) => {
      const before = turn;
      let done: () => void = () => undefined;
      turn = new Promise((resolve) => (done = resolve));
      await before;
      try {
        await waitForSlot(signal);
      } finally {
        done();
      }
    },
    heard: (status, retryAfterMs) => {
      const now = clock.now();
      if (status === 429) {
        holdUntil = Math.max(holdUntil, now + Math.min(retryAfterMs ?? learned.holdMs, longestHoldMs));
        // Answers to requests that were under way already say nothing new about the slower pace.
        if (rate === undefined && now - lastStep >= learned.holdMs) {
          gap = Math.min(Math.max(gap * learned.slower, learned.firstGapMs), learned.longestGapMs);
          lastStep = now;
        }
      } else if (rate === undefined && status !== undefined) {
        gap = gap < 1 ? 0 : gap * learned.faster;
      }
    },
  };
}

/** Reads a rate such as `120/60s`; undefined when the text is none. */
export function parseRate(text: string): Rate | undefined {
  const parts = /^([1-9]\d{0,6})\/([1-9]\d{0,5})(ms|s|m|h)$/.exec(text);
  if (parts === null) return undefined;
  const unit = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[parts[3] as 'ms' | 's' | 'm' | 'h'];
  return { requests: Number(parts[1]), perMs: Number(parts[2]) * unit };
}
