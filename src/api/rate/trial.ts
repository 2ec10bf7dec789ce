/*
 * Finds out whether a rate limit has refused a request. Nothing is sent until everything in flight is answered; then one
 * request alone, then twice as many at once, after refusals half as many; each round begins when all of the last one are
 * answered, because refusals may come back sooner than answers. A rate limit lets through what its rate explains and no
 * more: if more passes, refusals come by chance, or limit requests in flight. If several in a row are refused, it is a
 * rate limit. That costs those requests and no more.
 */

/** What a trial has found; undefined while it has not. */
export type TrialResult = 'rate' | 'no rate' | 'nothing';

/** Requests that are sent although the service asked to wait, to learn why it did. */
export interface Trial {
  /** How long until one more may start while so many are in flight; Infinity: until one is answered. */
  readonly waitMs: (now: number, inFlight: number) => number;
  readonly start: () => void;
  /** One of its requests is over: whether it passed, undefined where it was not answered. */
  readonly end: (hasPassed: boolean | undefined) => void;
  readonly finding: (now: number) => TrialResult | undefined;
  /** When it began, and how long the service asked to wait then. */
  readonly since: number;
  readonly holdMs: number;
}

/** What a trial starts from. */
export interface TrialOptions {
  readonly since: number;
  readonly holdMs: number;
  /** What a rate limit would let through, by the answers so far: one request in so much time. */
  readonly gapMs: () => number;
  /** So many refusals in a row are not by chance. */
  readonly inARow: number;
  /** How many refusals in a row there were before. */
  readonly refusedBefore: () => number;
}

// A rate limit may let through so many more than its rate explains: times are rounded.
const spare = 3;
const mostRefused = 6;
// What is in flight for longer after the wait is not waited for.
const longestMs = 3_000;

/** Begins a trial. */
export function createTrial({ since, holdMs, gapMs, inARow, refusedBefore }: TrialOptions): Trial {
  let gap: number | undefined;
  let [window, sent, own] = [1, 0, 0];
  let [passed, refused, row] = [0, 0, 0];
  let round = { passed: 0, refused: 0 };

  function endRound(): void {
    row = round.passed > 0 ? 0 : row + round.refused;
    window = round.refused > 0 ? Math.max(1, Math.floor(window / 2)) : window * 2;
    [sent, round] = [0, { passed: 0, refused: 0 }];
  }

  return {
    since,
    holdMs,
    waitMs: (now, inFlight) => {
      if (gap === undefined && inFlight > 0) return since + holdMs - now;
      gap ??= gapMs();
      return sent < window ? 0 : since + holdMs + longestMs - now;
    },
    start: () => {
      [sent, own] = [sent + 1, own + 1];
    },
    end: (hasPassed) => {
      own -= 1;
      if (hasPassed === true) [passed, round.passed] = [passed + 1, round.passed + 1];
      if (hasPassed === false) [refused, round.refused] = [refused + 1, round.refused + 1];
      if (own === 0) endRound();
    },
    finding: (now) => {
      if (passed > spare + (now - since) / (gap ?? gapMs())) return 'no rate';
      if (row >= inARow || refused >= Math.max(mostRefused, passed)) return 'rate';
      const isOver = now >= since + holdMs && (passed === 0 || now >= since + holdMs + longestMs);
      if (!isOver || (own > 0 && now < since + holdMs + longestMs)) return undefined;
      if (passed > 0) return refused * 2 > passed ? 'rate' : 'no rate';
      return refused > 0 || refusedBefore() >= inARow ? 'rate' : 'nothing';
    },
  };
}
