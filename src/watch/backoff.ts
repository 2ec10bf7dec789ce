/** What failed, how often in a row, and when it is tried again. Times are milliseconds since 1970. */
export interface RetryState {
  readonly since: number;
  readonly attempts: number;
  readonly nextAttempt: number;
}

/** How long to wait after failures, in milliseconds. */
export interface BackoffLimits {
  readonly first: number;
  readonly most: number;
}

/** One more failure of the same cause: each waits twice as long as the one before, up to a ceiling, less a little chance so that many do not come back at once. */
export function nextRetry(
  before: RetryState | undefined,
  now: number,
  { first, most }: BackoffLimits,
  chance: number,
): RetryState {
  const attempts = (before?.attempts ?? 0) + 1;
  const wait = Math.min(most, first * 2 ** Math.min(attempts - 1, 30));
  return { since: before?.since ?? now, attempts, nextAttempt: now + Math.round(wait * (1 - 0.2 * chance)) };
}
