/*
 * What is repeated, by what is safe (docs/operations.md has the whole of it). A request that has no harm in it when it
 * happens twice is repeated here; the others are somebody's decision (apply/), who can look at the account first.
 *
 *   method   never sent   cut off, too late      2xx unreadable         429                    502, 503, 504   another
 *   ------   ----------   --------------------   --------------------   --------------------   -------------   -------
 *   GET      repeat       repeat                 repeat                 wait, repeat           repeat          repeat 5xx but 501
 *   PUT      repeat       repeat                 repeat                 wait, repeat           repeat          report
 *   DELETE   repeat       repeat                 report: read first     wait, repeat           repeat          report
 *   PATCH    repeat       report: read first     report: read first     wait, repeat           report          report
 *   POST     repeat       report: look up first  report: look up first  report: look up first  report          report
 *
 * A 403 that a platform gives as a limit (comments/) is waited for like 429, by a POST as well: it proves that nothing was done.
 */
import type { Clock } from './clock.ts';
import {
  afterLoss,
  AmbiguousAnswer,
  ApiError,
  ConnectionFailed,
  mayHaveHappened,
  type RequestFacts,
} from './api-errors.ts';
import { QueuedTooLong, type QueueTicket } from './rate/queue.ts';

/** A wait before a request is repeated, for progress. */
export interface RetryWait extends RequestFacts {
  /** Until it is sent again, by what is known now. */
  readonly ms: number;
  readonly why: string;
}

/** How often and how long one request may be repeated. */
export interface RetryOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Tries in all, but for those that a limit refuses: only their time counts. */
  readonly tries?: number;
  /** Time from the first failure, in milliseconds, without the time behind other requests; a service that asks for longer is not waited for. */
  readonly patienceMs?: number;
  /** Repeats of all requests together, but for those that a limit makes; five that pass earn one again. */
  readonly budget?: number;
  /** How long a request that is repeated now would be held back (limiter.ts). */
  readonly heldBackMs?: () => number;
  readonly onRetry?: (wait: RetryWait) => void;
}

/** Carries out a request, again where that is safe and may help. */
export type Retry = <T>(request: RequestFacts, once: (place: QueueTicket) => Promise<T>) => Promise<T>;

/** How long one request may be repeated, if nothing else is set. */
export const usualPatienceMs = 120_000;

const firstWaitMs = 500;
const longestWaitMs = 30_000;

// What each request that passes gives back to the budget: one in six may fail for ever.
const tokensPerRequest = 0.2;

/** Creates the retry policy of a run. Without one, every failure is thrown immediately. */
export function createRetry({
  clock,
  signal,
  tries = 6,
  patienceMs = usualPatienceMs,
  budget = 500,
  heldBackMs = () => 0,
  onRetry,
}: RetryOptions): Retry {
  let left = budget;
  return async (request, once) => {
    let waited = 0;
    let queuedMs = 0;
    let failedAt: number | undefined;
    let failure: unknown;
    let lost: Error | undefined;
    const usedMs = (): number => (failedAt === undefined ? 0 : Math.max(waited, clock.now() - failedAt - queuedMs));
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await once({
          isRepeat: attempt > 1,
          queued: (ms) => {
            if (attempt > 1) queuedMs += ms;
          },
          mostMs: patienceMs - usedMs(),
        });
        left = Math.min(budget, left + tokensPerRequest);
        return answer;
      } catch (error) {
        if (error instanceof QueuedTooLong) throw failure;
        const reported = afterLoss(lost, error);
        failure = reported;
        const cost = isLimited(error) ? 0 : 1;
        failedAt ??= clock.now();
        const hasTries = isLimited(error) || attempt < tries;
        const ms = isSafeToRepeat(request.method, error) && hasTries ? retryDelay(error, attempt, clock) : undefined;
        if (ms === undefined || usedMs() + ms > patienceMs || left < cost || signal?.aborted === true) throw reported;
        if (request.method !== 'GET' && error instanceof Error && mayHaveHappened(error)) lost ??= error;
        left -= cost;
        waited += ms;
        onRetry?.({
          ...request,
          ms: Math.max(ms, isLimited(error) ? heldBackMs() : 0),
          why: error instanceof Error ? error.message : 'unknown error',
        });
        // An interrupted wait ends in what was being waited out.
        await clock.sleep(ms, signal).catch(() => {
          throw reported;
        });
      }
    }
  };
}

/** How long to wait after a failure: as the service asks, else longer each time with full jitter, so that many waiting clients do not come back at once. */
export function retryDelay(error: unknown, attempt: number, clock: Clock): number {
  const asked = error instanceof ApiError ? error.retryAfter : undefined;
  const most = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1));
  return asked ?? Math.ceil(clock.random() * most);
}

// Failures to connect, or of a connection, that only a person can end.
const lasting = new Set<unknown>([
  'INTERRUPTED',
  'TLS_NOT_SPOKEN',
  'CERTIFICATE_NOT_TRUSTED',
  'CERTIFICATE_WRONG_HOST',
  'CERTIFICATE_EXPIRED',
  'PROXY_REFUSED',
  'UND_ERR_HEADERS_OVERFLOW',
]);

/** Whether the failure is one of the kind that passes. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionFailed) {
    const { code } = Object(error.cause) as { readonly code?: unknown };
    return !lasting.has(error.code) && !lasting.has(code);
  }
  if (error instanceof AmbiguousAnswer) return true;
  if (error instanceof ApiError && error.code === 'UNREADABLE_RESPONSE') return true;
  return error instanceof ApiError && (error.isLimit || [408, 502, 503, 504].includes(error.status));
}

/** A defect of the service may pass, but what it does not implement (501) stays so. */
function isServiceFailure(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 500 && error.status !== 501;
}

/** The pace is kept elsewhere (limiter.ts), so that these repeats are few. */
function isLimited(error: unknown): boolean {
  return error instanceof ApiError && error.isLimit;
}

function isSafeToRepeat(method: string, error: unknown): boolean {
  if (method === 'GET' && isServiceFailure(error)) return true;
  if (!isTransient(error)) return false;
  const neverSent = error instanceof ConnectionFailed && !error.mayHaveHappened;
  if (method === 'POST') return neverSent || (isLimited(error) && !mayHaveHappened(error));
  if (method === 'PATCH') return neverSent || isLimited(error);
  if (method === 'DELETE') return !(error instanceof AmbiguousAnswer);
  return true;
}
