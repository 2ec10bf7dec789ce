import { counted } from '../diagnostics/counted.ts';
import { InvalidInput, SluiceError } from '../diagnostics/errors.ts';
import { placeText } from '../diagnostics/diagnostic.ts';
import { systemFailure } from '../diagnostics/system-reason.ts';
import { present } from '../model/present.ts';
import { failedSubject } from '../model/status/failed-subject.ts';
import type { WatchFailure } from '../model/status/watch-status.ts';
import { nextRetry, type RetryState, type BackoffLimits } from './timing/backoff.ts';
import type { Ports } from './ports.ts';
import type { SteadyTime } from './timing/steady-time.ts';

// Without these a watch does nothing, and notices nothing else that it could try again for.
const needed: ReadonlySet<string> = new Set(['lock', 'requests']);
const mostNeededMs = 60_000;

/** What is known of a failure, whenever it happens. */
export type FailureDetails = Pick<WatchFailure, 'code' | 'message' | 'hint' | 'status' | 'details'>;

/** What fails at the moment, by scope, and when each is tried again. */
export class Failures {
  readonly #ports: Pick<Ports, 'clock' | 'log'>;
  /** By this time the failures are kept and retried. */
  readonly #time: SteadyTime;
  readonly #known = new Map<string, WatchFailure & RetryState>();
  readonly #limits: () => BackoffLimits;
  /** What works again in the reconciliation that runs, which may yet fail the same way. */
  readonly #recovering = new Map<string, WatchFailure & RetryState>();

  constructor(ports: Pick<Ports, 'clock' | 'log'>, time: SteadyTime, limits: () => BackoffLimits) {
    this.#ports = ports;
    this.#time = time;
    this.#limits = limits;
  }

  /** With their times by the wall clock; what fails as a whole, such as the account, before single resources. */
  get all(): readonly WatchFailure[] {
    return [...this.#known.values()]
      .toSorted((a, b) => Number(isAddress(a.scope)) - Number(isAddress(b.scope)))
      .map((failure) => onWall(failure, this.#time));
  }

  /** What fails in a scope, if something does. */
  find(scope: string): WatchFailure | undefined {
    const failure = this.#known.get(scope);
    return failure && onWall(failure, this.#time);
  }

  record(scope: string, fault: FailureDetails): void {
    const { clock, log } = this.#ports;
    const { now } = this.#time;
    const { first, most } = this.#limits();
    const before = this.#known.get(scope) ?? this.#continued(scope, fault);
    const limits = { first, most: needed.has(scope) ? Math.min(most, mostNeededMs) : most };
    const failure = nextRetry(before, now(), limits, clock.random());
    // A new failure is listed after older ones.
    if (before?.attempts === 0) this.#known.delete(scope);
    this.#known.set(scope, { scope, ...fault, ...failure });
    const seconds = Math.ceil((failure.nextAttempt - now()) / 1000);
    const { code, message, hint } = fault;
    const facts = { code, attempts: failure.attempts, address: isAddress(scope) ? scope : undefined, hint };
    log('error', 'failed', `${failedSubject({ scope, ...fault })}: ${message}; retry in ${seconds} s`, present(facts));
  }

  recovered(scope: string): void {
    const before = this.#known.get(scope);
    if (before === undefined) return;
    this.#known.delete(scope);
    this.#logRecovered(before);
  }

  /** It works again so far: it has recovered if it does not fail the same way before the reconciliation ends. */
  recovering(scope: string): void {
    const before = this.#known.get(scope);
    if (before === undefined) return;
    this.#known.delete(scope);
    this.#recovering.set(scope, before);
  }

  /** The reconciliation has ended: what did not fail again has recovered. */
  endReconcile(): void {
    for (const failure of this.#recovering.values()) this.#logRecovered(failure);
    this.#recovering.clear();
  }

  /** The failure that goes on, where the same failed before in this reconciliation. */
  #continued(scope: string, { code }: FailureDetails): (WatchFailure & RetryState) | undefined {
    const before = this.#recovering.get(scope);
    if (before?.code !== code) return undefined;
    this.#recovering.delete(scope);
    return before;
  }

  #logRecovered(failure: WatchFailure): void {
    const after = failure.attempts === 0 ? '' : ` after ${counted(failure.attempts, 'failure')}`;
    this.#ports.log('info', 'recovered', `${failedSubject(failure)}: recovered${after}`);
  }

  /** When a scope is tried again, in the steady time, if that is still to come. */
  retryAt(scope: string): number | undefined {
    const nextAttempt = this.#known.get(scope)?.nextAttempt;
    return nextAttempt !== undefined && nextAttempt > this.#time.now() ? nextAttempt : undefined;
  }

  /** When an account is refreshed that could not be, or that could not even be tried without the lock or any manifests; undefined: nothing keeps it. */
  refreshAt(isLoaded: boolean): number | undefined {
    return this.retryAt('account') ?? this.retryAt('lock') ?? (isLoaded ? undefined : this.retryAt('manifests'));
  }

  /** A failure whose retry is still to come. */
  awaitingRetry(scope: string): WatchFailure | undefined {
    return this.retryAt(scope) === undefined ? undefined : this.find(scope);
  }

  /** The steady time of the earliest retry; one that is due already was tried, or depends on something else. */
  next(): number {
    return Math.min(...[...this.#known.keys()].map((scope) => this.retryAt(scope) ?? Number.POSITIVE_INFINITY));
  }

  /** Drops failures of resources that have no change any more. */
  retain(isStill: (address: string) => boolean): void {
    for (const scope of this.#known.keys()) if (isAddress(scope) && !isStill(scope)) this.#known.delete(scope);
  }

  /** Retries everything at once, as if it had not failed; each stays a failure until it succeeds. */
  retryNow(): void {
    for (const [scope, failure] of this.#known)
      this.#known.set(scope, { ...failure, attempts: 0, nextAttempt: this.#time.now() });
  }

  clear(): void {
    this.#known.clear();
    this.#recovering.clear();
  }
}

/** The details of anything that was thrown. */
export function failureDetails(thrown: unknown): FailureDetails {
  const error = systemFailure(thrown);
  if (error instanceof InvalidInput) return inputDetails(error);
  if (!(error instanceof SluiceError))
    return { code: 'INTERNAL_ERROR', message: error instanceof Error ? error.message : 'unknown error' };
  return present({ code: error.code, message: error.message, hint: error.hintInWatch });
}

/** Of several errors, the first, with its place. */
function inputDetails({ code: own, message: text, diagnostics }: InvalidInput): FailureDetails {
  const [first, ...more] = diagnostics.filter(({ severity }) => severity === 'error');
  if (first === undefined) return { code: own, message: text };
  const { code, message, hint, place } = first;
  const where = place === undefined ? '' : `${placeText(place)}: `;
  const others = more.length === 0 ? '' : ` (and ${counted(more.length, 'more error')})`;
  return present({ code, message: `${where}${message}${others}`, hint });
}

/** A failure with its times by the wall clock. */
export function onWall<Failure extends RetryState>(failure: Failure, time: SteadyTime): Failure {
  return { ...failure, since: time.onWall(failure.since), nextAttempt: time.onWall(failure.nextAttempt) };
}

function isAddress(scope: string): boolean {
  return scope.includes('/');
}
