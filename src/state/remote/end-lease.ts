import { LockHeld, StateError } from '../../diagnostics/errors.ts';
import { leaseBytes, type LeaseRecord } from './lease-record.ts';
import { shortestSince, type LeaseTime } from '../lease/lease-time.ts';
import { runAgain } from '../lock-hint.ts';
import { objectNames, type RemoteStore } from './remote-store.ts';
import { patienceFor, settledSwap } from './settled-swap.ts';
import { storedLease } from './take-lease.ts';

const mostTries = 20;

/**
 * Ends the lease of a run that a person has declared dead. Without `waits`, a request that this run has under way may
 * still be carried out; else the lease must not change for its whole duration first.
 */
export async function endLease(
  store: RemoteStore,
  { token, duration_ms: duration }: LeaseRecord,
  { time, waits }: { readonly time: LeaseTime; readonly waits: boolean },
): Promise<void> {
  let seen = await storedLease(store);
  const first = time.now();
  while (waits && shortestSince(first, time.now()) < duration) {
    if (seen?.record.token !== token) return;
    await time.sleep(Math.min(1_000, duration / 20));
    const now = await storedLease(store);
    if (now?.record.token === token && now.version !== seen.version) throw stillActive();
    seen = now;
  }
  for (let tries = 0; tries < mostTries; tries++) {
    if (seen?.record.token !== token) return;
    const free = { ...seen.record, token: null, owner: null, fence: seen.record.fence + 1 };
    const wanted = { name: objectNames.lease, expected: seen.version, bytes: leaseBytes(free) };
    if ((await settledSwap(store, wanted, patienceFor(time, duration))) !== undefined) return;
    seen = await storedLease(store);
  }
  throw new StateError('STATE_CHANGED', `the lock record in ${store.location} keeps changing`, runAgain);
}

/** The error for a lease that somebody renews. */
export function stillActive(): LockHeld {
  return new LockHeld('LOCK_HELD', 'the run that holds the lock is active', {
    hint: 'stop that run, or run `sluice state unlock --now`: a request that the run has already sent may still take effect',
  });
}
