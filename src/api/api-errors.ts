import { SluiceError } from '../diagnostics/errors.ts';
import type { ErrorCode } from '../diagnostics/failure-codes.ts';
import type { NotConnectedCode } from './connection/not-connected.ts';

/** The request an error is about. */
export interface RequestFacts {
  readonly method: string;
  readonly path: string;
}

/** An answer of the service with an error status; its text is safe to show. */
export interface ServiceRefusal {
  readonly status: number;
  readonly errorCode?: string;
  readonly msg: string;
  /** It refuses because of a rate limit; always so with 429. */
  readonly isLimit?: boolean;
  /** The body is not JSON, so that it comes from a proxy or the like. */
  readonly isForeign?: boolean;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfter?: number;
}

/** The service answered, and not with what was asked for. */
export class ApiError extends SluiceError {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly errorCode: string | undefined;
  readonly msg: string;
  readonly isForeign: boolean;
  readonly isLimit: boolean;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, request: RequestFacts, refusal: ServiceRefusal, hint?: string, hintInWatch?: string) {
    const named = refusal.errorCode === undefined ? '' : ` ${refusal.errorCode}`;
    super(
      code,
      // Messages are put together with others.
      `${request.method} ${request.path} returned ${refusal.status}${named}: ${refusal.msg.replace(/\.$/, '')}`,
      hint === undefined ? {} : hintInWatch === undefined ? { hint } : { hint, hintInWatch },
    );
    this.method = request.method;
    this.path = request.path;
    this.status = refusal.status;
    this.errorCode = refusal.errorCode;
    this.msg = refusal.msg;
    this.isLimit = refusal.isLimit === true || refusal.status === 429;
    this.isForeign = refusal.isForeign === true;
    this.retryAfter = refusal.retryAfter;
  }
}

/** Whether the service itself says that what was asked for does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404 && !error.isForeign;
}

const otherKey =
  'set a valid API key in SLUICE_API_KEY, in the file named by SLUICE_API_KEY_FILE, or in the variable named by api.key';
const otherKeyInWatch =
  'set a valid API key; sluice reads the file named by SLUICE_API_KEY_FILE again at the next attempt, but reads an environment variable only when `sluice watch` starts';

/** The key is unknown (401) or may not do this (403): nothing can be concluded about what exists (exit 7). */
export class NotAllowed extends ApiError {
  constructor(request: RequestFacts, refusal: ServiceRefusal, hint?: string) {
    const isUnknown = refusal.status === 401;
    const usual = isUnknown
      ? otherKey
      : 'the API key lacks a permission; use a key that is allowed to send this request';
    super(
      'ACCESS_DENIED',
      request,
      refusal,
      hint ?? usual,
      isUnknown && hint === undefined ? otherKeyInWatch : undefined,
    );
  }
}

/** A write was answered with success, but the answer cannot be read: it probably happened. */
export class AmbiguousAnswer extends SluiceError {
  readonly method: string;
  readonly path: string;
  readonly status: number;

  constructor(request: RequestFacts, status: number, why: string, cause?: unknown) {
    super('AMBIGUOUS_RESPONSE', `${request.method} ${request.path} returned ${status}, but ${why}`, { cause });
    this.method = request.method;
    this.path = request.path;
    this.status = status;
  }
}

/** No answer came: refused, cut off, too late, or interrupted. */
export class ConnectionFailed extends SluiceError {
  readonly method: string;
  /** False only where the request certainly did not reach the service. */
  readonly mayHaveHappened: boolean;

  constructor(
    code: NotConnectedCode | 'REQUEST_TIMEOUT' | 'INTERRUPTED',
    request: RequestFacts,
    why: string,
    facts: { readonly mayHaveHappened: boolean; readonly cause?: unknown; readonly hint?: string | undefined },
  ) {
    const { cause, hint } = facts;
    super(code, `${request.method} ${request.path}: ${why}`, hint === undefined ? { cause } : { cause, hint });
    this.method = request.method;
    this.mayHaveHappened = facts.mayHaveHappened;
  }
}

/** A write failed for certain when it was sent again; but the answer to an earlier try was lost. */
export class EarlierAttemptLost extends SluiceError {
  readonly lost: Error;

  constructor(lost: Error, cause: unknown) {
    const then = cause instanceof Error ? cause.message : 'unknown error';
    super('EARLIER_ATTEMPT_LOST', `${lost.message}; the retry failed: ${then}`, { cause });
    this.lost = lost;
  }
}

/** What a write has ended in where an earlier try may have been lost. */
export function afterLoss(lost: Error | undefined, error: unknown): unknown {
  return lost === undefined || mayHaveHappened(error) ? error : new EarlierAttemptLost(lost, error);
}

/** Whether a write that ended in this error may have been carried out all the same. */
export function mayHaveHappened(error: unknown): boolean {
  if (error instanceof AmbiguousAnswer || error instanceof EarlierAttemptLost) return true;
  if (error instanceof ConnectionFailed) return error.mayHaveHappened;
  return error instanceof ApiError && !isClear(error.method, error.status);
}

// A request that took too long, and what nobody has defined.
const unclear = new Set([408, 419, 420, 427, 430]);

/** Refusals of a POST that may have been carried out: two of one may be under way, by way of a proxy or a queue, and the answer is that of one. */
export const unclearToPost: ReadonlySet<number> = new Set([409, 429]);

/** Whether a status proves that nothing was done: its meaning must be defined so. */
function isClear(method: string, status: number): boolean {
  if (method === 'POST' && unclearToPost.has(status)) return false;
  const isRefusal = (status >= 400 && status <= 431 && !unclear.has(status)) || status === 451;
  return status < 300 || status === 307 || status === 308 || isRefusal;
}
