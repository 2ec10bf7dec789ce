/*
 * Who may write is who holds the lease. A free lease is taken by a swap, so one of many wins. A lease that somebody holds
 * is taken once its version has not changed for its whole duration, by the clock of the one who waits: no two clocks are
 * compared, not that of the store either. A version never comes back, so a failed read of the store meanwhile does
 * not begin that time again; a wait ends once the store has been unavailable for one duration. A store that has lost writes
 * may show an old version again, so what was seen before counts no more. A lease that was free then may have had a holder
 * that the store no longer knows, so it counts as held.
 */
import { randomBytes } from 'node:crypto';
import { LockHeld, SluiceError, StateError, StoreRefused } from '../../diagnostics/errors.ts';
import { fenceOf } from './journal-entry.ts';
import { movedAway } from '../moved-away.ts';
import { movedFrom, stateObjectIn } from './state-object.ts';
import { leaseBytes, leaseIn, type LeaseOwner, type LeaseRecord } from './lease-record.ts';
import { holderText } from '../lease/lease.ts';
import { longestSince, shortestSince, type Instant, type LeaseTime } from '../lease/lease-time.ts';
import type { LeaseTiming } from '../lease/lease-timing.ts';
import { objectNames, type RemoteStore } from './remote-store.ts';
import { isUnavailable, patienceFor, settledSwap, type SettledSwap } from './settled-swap.ts';
import { lockHint } from '../lock-hint.ts';
import type { LockOptions } from '../lock.ts';

/** Who wants the lease, and for how long to wait for a holder that is alive. */
export interface LeaseRequest extends Pick<
  LockOptions,
  'patience' | 'onWait' | 'onHeartbeat' | 'signal' | 'isDestination'
> {
  readonly owner: LeaseOwner;
  readonly timing: LeaseTiming;
  readonly time: LeaseTime;
}

/** A lease that is held. */
export interface TakenLease extends SettledSwap {
  readonly record: LeaseRecord & { readonly token: string };
}

interface Found {
  readonly record: LeaseRecord;
  readonly version: string;
}

/** A lease that somebody holds, as it was seen first. */
interface Seen {
  readonly version: string;
  readonly timeline: string;
  readonly at: Instant;
}

const mostRefusals = 10;

/** Takes the lease, or throws an error that names its holder. */
export async function takeLease(store: RemoteStore, request: LeaseRequest): Promise<TakenLease> {
  const { time, timing, patience = 0, signal, onWait, onHeartbeat, isDestination } = request;
  const began = time.now();
  let first: Seen | undefined;
  let readAt: Instant | undefined;
  let isAlive = false;
  let reported: string | undefined;
  let refused: { readonly version: string | undefined } | undefined;
  let refusals = 0;
  for (;;) {
    try {
      const [timeline, found] = await Promise.all([store.timeline(), storedLease(store, isDestination)]);
      if (found === undefined || isFree(found, timeline) || isDead(found, first, timeline, time)) {
        const taken = await swapToOwn(store, found, timeline, request);
        if (taken !== undefined) return taken;
        // Whoever was faster has changed it. A store that refuses to replace what is still there would do so for ever.
        refusals = refused !== undefined && refused.version === found?.version ? refusals + 1 : 1;
        refused = { version: found?.version };
        if (refusals > mostRefusals) throw contradicts(store);
        continue;
      }
      const { record, version } = found;
      if (first?.version !== version || first.timeline !== timeline) {
        isAlive ||= first?.timeline === timeline;
        if (first !== undefined) onHeartbeat?.(0);
        first = { version, timeline, at: time.now() };
      }
      if (isAlive && longestSince(began, time.now()) >= patience) throw heldBy(record);
      const holder = holderOf(record);
      if (holder !== reported) onWait?.(holder, record.owner?.command);
      reported = holder;
      readAt = time.now();
    } catch (error) {
      const isBridged = readAt !== undefined && longestSince(readAt, time.now()) < timing.durationMs;
      if (!isBridged || !isUnavailable(error)) throw error;
    }
    await time.sleep(Math.min(1_000, timing.heartbeatMs / 4), signal).catch(() => {
      throw new SluiceError('INTERRUPTED', 'interrupted while waiting for the lock');
    });
  }
}

/** Reads the lease; undefined where there never was one. One whose state was moved away is an error, unless it may be. */
export async function storedLease(store: RemoteStore, mayBeMoved = false): Promise<Found | undefined> {
  const found = await store.read(objectNames.lease);
  if (found === undefined) return undefined;
  const record = leaseIn(found.bytes, store.location);
  if (record.moved !== undefined && !mayBeMoved) throw movedAway(store.location, record.moved);
  return { record, version: found.version };
}

/** Insists that the state was not moved away: a run that was killed while it moved it has noted that in the state alone. */
export async function storeMustBeHere(store: RemoteStore): Promise<void> {
  await storedLease(store);
  const object = await store.read(objectNames.state);
  const to = object === undefined ? undefined : movedFrom(object.bytes);
  if (to !== undefined) throw movedAway(store.location, to);
}

function isFree({ record: { token, timeline } }: Found, current: string): boolean {
  return token === null && timeline === current;
}

function isDead({ record, version }: Found, first: Seen | undefined, timeline: string, time: LeaseTime): boolean {
  if (first?.version !== version || first.timeline !== timeline) return false;
  return shortestSince(first.at, time.now()) >= record.duration_ms;
}

async function swapToOwn(
  store: RemoteStore,
  found: Found | undefined,
  timeline: string,
  { owner, timing, time }: LeaseRequest,
): Promise<TakenLease | undefined> {
  const token = randomBytes(16).toString('hex');
  const record = {
    lease: 1 as const,
    id: '',
    token,
    fence: 1 + (await largestFence(store, found?.record)),
    folded_through: found?.record.folded_through ?? 0,
    state: found?.record.state ?? null,
    timeline,
    duration_ms: timing.durationMs,
    heartbeat: 0,
    owner,
  };
  const wanted = { name: objectNames.lease, expected: found?.version, bytes: leaseBytes(record) };
  const swapped = await settledSwap(store, wanted, patienceFor(time, timing.durationMs));
  return swapped && { record, ...swapped };
}

/** The largest fence in use. The lease alone knows, unless it was lost; what stands in the journal and the state keeps fences from being used again. */
export async function largestFence(store: RemoteStore, lease: LeaseRecord | undefined): Promise<number> {
  const journal = await store.list(objectNames.journal);
  const fences = journal.flatMap((name) => fenceOf(name) ?? []);
  return Math.max(lease?.fence ?? 0, lease === undefined ? await fenceOfState(store) : 0, ...fences);
}

/** The fence of the run that wrote the state; 0 where that cannot be read, which whoever reads the state reports. */
export async function fenceOfState(store: RemoteStore): Promise<number> {
  const state = await store.read(objectNames.state);
  try {
    return state === undefined ? 0 : stateObjectIn(state.bytes, store.location).head.fence;
  } catch (error) {
    if (error instanceof StateError && error.code === 'STATE_DAMAGED') return 0;
    throw error;
  }
}

function holderOf({ owner }: LeaseRecord): string {
  return owner === null
    ? 'an unknown run (the store lost the record of that run)'
    : holderText(owner, owner.since, owner.url);
}

function contradicts({ location }: RemoteStore): StoreRefused {
  return new StoreRefused(
    'STORE_CANNOT_SWAP',
    `the state store ${location} cannot be used as a lock: it refuses to replace an object that has not changed`,
    { hint: 'a deleted object in a versioned bucket can cause this: set another state.s3.prefix' },
  );
}

function heldBy(record: LeaseRecord): LockHeld {
  return new LockHeld('LOCK_HELD', `the stack is locked by ${holderOf(record)}`, {
    hint: lockHint(
      record.owner?.command,
      'wait with --lock-timeout; if that run no longer exists, the lock expires automatically',
    ),
  });
}
