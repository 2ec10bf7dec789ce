import { SluiceError } from '../diagnostics/errors.ts';
import type { WatchFailure } from '../model/watch-status.ts';
import { nextRetry, type RetryState, type BackoffLimits } from './backoff.ts';
import type { Ports } from './ports.ts';

/** What is known of a failure. */
export type FailureDetails = Pick<WatchFailure, 'code' | 'message' | 'hint'>;

/** What fails at the moment, by cause, and when each is tried again. */
export class Failures {
  readonly #ports: Pick<Ports, 'now' | 'clock' | 'log'>;
  readonly #known = new Map<string, WatchFailure & RetryState>();

  constructor(ports: Pick<Ports, 'now' | 'clock' | 'log'>) {
    this.#ports = ports;
  }

  get all(): readonly WatchFailure[] {
    return [...this.#known.values()];
  }

  failed(cause: string, fault: FailureDetails, pace: BackoffLimits): void {
    const { now, clock, log } = this.#ports;
    const before = this.#known.get(cause);
    const failure = nextRetry(before, now(), pace, clock.random());
    // What fails anew comes after what has failed for longer.
    if (before?.tries === 0) this.#known.delete(cause);
    this.#known.set(cause, { cause, ...fault, ...failure });
    const seconds = Math.ceil((failure.nextTry - now()) / 1000);
    const facts = { code: fault.code, tries: failure.tries, ...(isAddress(cause) ? { address: cause } : {}) };
    log('error', 'failed', `${cause}: ${fault.message}; retry in ${seconds} s`, facts);
  }

  worked(cause: string): void {
    const before = this.#known.get(cause);
    if (before === undefined) return;
    this.#known.delete(cause);
    const after = before.tries === 0 ? '' : ` after ${before.tries} failures`;
    this.#ports.log('info', 'recovered', `${cause}: recovered${after}`);
  }

  /** When a cause is tried again, if that is still to come. */
  retryAt(cause: string): number | undefined {
    const nextTry = this.#known.get(cause)?.nextTry;
    return nextTry !== undefined && nextTry > this.#ports.now() ? nextTry : undefined;
  }

  /** When the first of all is tried again; what is due already was tried, or waits for something else. */
  next(): number {
    return Math.min(...[...this.#known.keys()].map((cause) => this.retryAt(cause) ?? Number.POSITIVE_INFINITY));
  }

  /** Forgets failures of resources that are not about to be changed any more. */
  onlyOf(isStill: (address: string) => boolean): void {
    for (const cause of this.#known.keys()) if (isAddress(cause) && !isStill(cause)) this.#known.delete(cause);
  }

  /** Everything is tried at once, as if it had never failed; only what works then counts as well again. */
  hurry(): void {
    for (const [cause, trouble] of this.#known)
      this.#known.set(cause, { ...trouble, tries: 0, nextTry: this.#ports.now() });
  }

  clear(): void {
    this.#known.clear();
  }
}

/** What can be told of anything that was thrown. */
export function failureDetails(error: unknown): FailureDetails {
  if (!(error instanceof SluiceError))
    return { code: 'INTERNAL_ERROR', message: error instanceof Error ? error.message : 'unknown error' };
  const { code, message, hint } = error;
  return { code, message, ...(hint === undefined ? {} : { hint }) };
}

function isAddress(cause: string): boolean {
  return cause.includes('/');
}
