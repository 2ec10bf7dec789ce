import { StoreNotAllowed, StoreRefused, type SluiceError } from '../../diagnostics/errors.ts';
import { longestSince, type Instant, type LeaseTime } from '../lease/lease-time.ts';
import type { LeaseTiming } from '../lease/lease-timing.ts';
import { isStoreRefusal } from './settled-swap.ts';

/** A heartbeat that the store answered, and refused; plain values, so that a thread can report it. */
export interface HeartbeatRefusal extends Pick<SluiceError, 'code' | 'message' | 'hint' | 'hintInWatch'> {
  /** Whether the credentials are refused, and not the settings. */
  readonly isAboutAccess: boolean;
}

/** The refusal of a heartbeat that failed, unless it failed otherwise. */
export function refusalIn(error: unknown): HeartbeatRefusal | undefined {
  if (!isStoreRefusal(error)) return undefined;
  const { code, message, hint, hintInWatch } = error;
  return { code, message, hint, hintInWatch, isAboutAccess: error instanceof StoreNotAllowed };
}

/** What the store refused last, for as long as nothing else can have come after it. */
export class LastRefusal {
  readonly #time: LeaseTime;
  readonly #lastsMs: number;
  #last: { readonly refusal: HeartbeatRefusal; readonly at: Instant } | undefined;

  constructor({ heartbeatMs, storeDeadlineMs }: LeaseTiming, time: LeaseTime) {
    this.#time = time;
    this.#lastsMs = heartbeatMs + storeDeadlineMs;
  }

  note(refusal: HeartbeatRefusal): void {
    this.#last = { refusal, at: this.#time.now() };
  }

  /** The error for a run whose lock ends because of it; undefined if it does not. */
  ended(quietMs: number): SluiceError | undefined {
    if (this.#last === undefined || longestSince(this.#last.at, this.#time.now()) > this.#lastsMs) return undefined;
    const { code, message, hint, hintInWatch, isAboutAccess } = this.#last.refusal;
    const text = `the state lock could not be renewed for ${Math.round(quietMs / 1_000)} s: ${message}`;
    const hints = { ...(hint === undefined ? {} : { hint }), hintInWatch: hintInWatch ?? '' };
    return isAboutAccess ? new StoreNotAllowed(code, text, hints) : new StoreRefused(code, text, hints);
  }
}
