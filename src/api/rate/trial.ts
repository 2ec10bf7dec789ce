/*
 * Finds out whether a rate limit has refused a request. Nothing is sent until everything in flight is answered. What of that
 * was started after the refused request shows much already: a rate limit lets through what its rate explains and no more,
 * so if more passes, refusals come by chance, or limit requests in flight. Otherwise as many requests are sent as passed
 * then, at least one, and three times as many in each round, or half as many after many refusals; each begins when all of
 * the last one are answered, because refusals may come back sooner than answers. If several in a row are refused, it is a
 * rate limit. That costs those requests and no more.
 */

/** What a trial starts from. */
export interface TrialOptions {
  readonly since: number;
  readonly holdMs: number;
  /** When the one that was refused was started. */
  readonly startedAt: number;
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
// Chance lets so many pass for each that it refuses.
const rare = 3;
// Where so many passed after the refused one, it takes more refusals in a row.
const fewDrained = 2;
// What is in flight for longer after the wait is not waited for.
const longestMs = 3_000;

/** Requests that are sent although the service asked to wait, to learn why it did. */
export type Trial = ReturnType<typeof createTrial>;

/** Begins a trial. */
export function createTrial({ since, holdMs, startedAt, gapMs, inARow, refusedBefore }: TrialOptions) {
  let gap: number | undefined;
  let [window, sent, own] = [1, 0, 0];
  let [passed, refused, row] = [0, 0, 0];
  let round = { passed: 0, refused: 0 };
  const drained = { passed: 0, refused: 0 };

  function endRound(): void {
    row = round.passed > 0 ? 0 : row + round.refused;
    window = round.refused * rare > round.passed ? Math.max(1, Math.floor(window / 2)) : window * 3;
    [sent, round] = [0, { passed: 0, refused: 0 }];
  }

  return {
    /** When it began, and how long the service asked to wait then. */
    since,
    holdMs,
    /** How long until one more may start while so many are in flight; Infinity: until one is answered. */
    waitMs: (now: number, inFlight: number) => {
      if (gap === undefined && inFlight > 0) return since + holdMs - now;
      if (gap === undefined) [gap, window] = [gapMs(), Math.max(1, drained.passed - drained.refused * rare)];
      return sent < window ? 0 : since + holdMs + longestMs - now;
    },
    start: () => {
      [sent, own] = [sent + 1, own + 1];
    },
    /** One that was in flight already, started after the one that was refused, is over. */
    drained: (hasPassed: boolean) => {
      drained[hasPassed ? 'passed' : 'refused'] += 1;
    },
    /** One of its requests is over: whether it passed, undefined where it was not answered. */
    end: (hasPassed: boolean | undefined) => {
      own -= 1;
      if (hasPassed === true) [passed, round.passed] = [passed + 1, round.passed + 1];
      if (hasPassed === false) [refused, round.refused] = [refused + 1, round.refused + 1];
      if (own === 0) endRound();
    },
    /** What it has found; undefined while it has not. */
    finding: (now: number): 'rate' | 'no-rate' | 'nothing' | undefined => {
      // What is still in flight from before arrived in the time that the refused one took.
      const explained = spare + ((gap === undefined ? since : now) - startedAt) / (gap ?? gapMs());
      const isMixed = drained.refused * rare > drained.passed;
      const enough = isMixed || drained.passed < fewDrained ? inARow : inARow * 2;
      if (passed + (isMixed ? 0 : drained.passed) > explained) return 'no-rate';
      // A limit of requests in flight lets some of a large round pass, and they are answered last.
      const mayExplain = passed + own > explained;
      if (row >= enough || (!mayExplain && refused >= Math.max(mostRefused, passed))) return 'rate';
      const isOver = now >= since + holdMs && (passed === 0 || now >= since + holdMs + longestMs);
      if (!isOver || (own > 0 && now < since + holdMs + longestMs)) return undefined;
      if (passed > 0) return refused * 2 > passed ? 'rate' : 'no-rate';
      return refused > 0 || refusedBefore() >= enough ? 'rate' : 'nothing';
    },
  };
}
