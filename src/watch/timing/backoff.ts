/** Consecutive failures and the time of the next retry. Times are in milliseconds. */
export interface RetryState {
  readonly since: number;
  readonly attempts: number;
  readonly nextAttempt: number;
}

/** The first and the longest delay after a failure, in milliseconds. */
export interface BackoffLimits {
  readonly first: number;
  readonly most: number;
}

/** One more failure of the same cause: exponential backoff up to a limit, with jitter so that many processes do not retry at once. */
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
