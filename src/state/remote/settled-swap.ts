import { StateError, StoreNotAllowed, StoreRefused, type SluiceError } from '../../diagnostics/errors.ts';
import { longestSince, type Instant, type LeaseTime } from '../lease/lease-time.ts';
import { outageHints } from './outage-hints.ts';
import type { RemoteStore, SwapResult } from './remote-store.ts';

/** A swap to carry out. */
export interface WantedSwap {
  readonly name: string;
  readonly expected: string | undefined;
  /** Different from what any other swap writes. */
  readonly bytes: Uint8Array;
  /** The token that the lease must still carry, where the store can require that. */
  readonly held?: string;
}

/** A swap that was carried out. */
export interface SettledSwap {
  readonly version: string;
  /** When it was sent; the earliest time, where several tries may have been it. */
  readonly sentAt: Instant;
}

/** How long to go on trying. */
export interface SwapPatience {
  readonly time: LeaseTime;
  /** Asked before a try that follows an unknown one. */
  readonly mayGoOn: () => boolean;
}

/** Patience for so long from now. */
export function patienceFor(time: LeaseTime, ms: number): SwapPatience {
  const began = time.now();
  return { time, mayGoOn: () => longestSince(began, time.now()) < ms };
}

const pauseMs = { first: 200, most: 2_000 };

/** A swap that may be tried again after it ended without a result. Undefined: another value is in place. */
export type PendingSwap = (patience: SwapPatience) => Promise<SettledSwap | undefined>;

/**
 * A swap with its result. A try is repeated only with the same bytes and the same expected version. Where it is refused, what is
 * read decides: an earlier try may have been carried out, or this one, if a proxy on the way has sent it twice.
 */
export function pendingSwap(store: RemoteStore, { name, expected, bytes, held }: WantedSwap): PendingSwap {
  let first: Instant | undefined;
  return async ({ time, mayGoOn }) => {
    let pause = pauseMs.first;
    for (;;) {
      const sentAt = time.now();
      first ??= sentAt;
      const answer: SwapResult = await store.swap(name, expected, bytes, held);
      if (answer.is === 'done') return { version: answer.version, sentAt };
      let cause = 'cause' in answer ? answer.cause : undefined;
      if (answer.is !== 'again') {
        try {
          const found = await store.read(name);
          if (found !== undefined && Buffer.compare(found.bytes, bytes) === 0)
            return { version: found.version, sentAt: first };
          if (found?.version !== expected || answer.is === 'conflict') return undefined;
        } catch (error) {
          cause = error;
        }
      }
      if (!mayGoOn()) throw unsettled(store, cause);
      await time.sleep(pause);
      pause = Math.min(2 * pause, pauseMs.most);
    }
  };
}

/** Swaps, and finds out what came of it. */
export function settledSwap(store: RemoteStore, wanted: WantedSwap, patience: SwapPatience): ReturnType<PendingSwap> {
  return pendingSwap(store, wanted)(patience);
}

/** An error for a store that cannot be reached, or does not report what it did; the one it refuses to report that with. */
export function unsettled({ location }: Pick<RemoteStore, 'location'>, cause: unknown): SluiceError {
  if (isUnavailable(cause) || isStoreRefusal(cause)) return cause;
  const why = cause instanceof Error ? cause.message : 'the store does not respond';
  return new StateError('STORE_UNAVAILABLE', `the state store ${location} is unavailable: ${why}`, {
    cause,
    ...outageHints,
  });
}

/** Whether an error means that the store cannot be reached at present, and not that it refuses. */
export function isUnavailable(error: unknown): error is StateError {
  return error instanceof StateError && error.code === 'STORE_UNAVAILABLE';
}

/** Whether an error means that the store was reached, and refuses: the credentials or the settings. */
export function isStoreRefusal(error: unknown): error is StoreNotAllowed | StoreRefused {
  return error instanceof StoreNotAllowed || error instanceof StoreRefused;
}
