import { SluiceError } from '../../diagnostics/errors.ts';
import { shortestSince, type LeaseTime } from '../lease/lease-time.ts';
import { longestLeaseMs } from '../lease/lease-timing.ts';
import { stillActive } from './end-lease.ts';
import { leaseBytes, leaseIn, type LeaseRecord, lockLost } from './lease-record.ts';
import { objectNames, type RemoteStore } from './remote-store.ts';
import { patienceFor, settledSwap } from './settled-swap.ts';
import { fenceOfState, largestFence } from './take-lease.ts';

/** A lease that no run can use: nobody holds it for certain, and a person has to end it. */
export interface UnusableLease {
  /** Its holder as text. */
  readonly text: string;
  readonly version: string;
  /** Undefined if it cannot be read. */
  readonly record: LeaseRecord | undefined;
  /** The lease duration of its holder, as far as it can be read. */
  readonly durationMs: number | undefined;
}

/** The lease of a store, if no run can use it. */
export async function unusableLease(store: RemoteStore): Promise<UnusableLease | undefined> {
  const found = await store.read(objectNames.lease);
  if (found === undefined) return undefined;
  const { version } = found;
  try {
    const record = leaseIn(found.bytes, store.location);
    if (record.token !== null || record.moved !== undefined) return undefined;
    const isOutdated = (await fenceOfState(store)) > record.fence;
    // A run may have taken the lease, and written the state, since the lease was read.
    if (!isOutdated || (await store.read(objectNames.lease))?.version !== version) return undefined;
    return {
      text: unknownRun('the lock record is older than the state'),
      version,
      record,
      durationMs: record.duration_ms,
    };
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'LEASE_DAMAGED')
      return {
        text: unknownRun('the lock record cannot be read'),
        version,
        record: undefined,
        durationMs: durationIn(found.bytes),
      };
    throw error;
  }
}

/** The duration in a damaged lease: its holder may have another than this run. */
function durationIn(bytes: Uint8Array): number | undefined {
  const [, ms] = /"duration_ms":(\d{1,9})/.exec(Buffer.from(bytes).toString('utf8')) ?? [];
  return ms === undefined ? undefined : Math.min(Number(ms), longestLeaseMs);
}

/**
 * Puts a free lease in its place, with a fence above all that left anything. Without `waits`, a request of a run that the lease does
 * not name may still be carried out; else it must not change for a lease duration first, the longer of its own and that of this run.
 */
export async function replaceLease(
  store: RemoteStore,
  { record, version, durationMs: holderMs = 0 }: UnusableLease,
  { time, waits, durationMs }: { readonly time: LeaseTime; readonly waits: boolean; readonly durationMs: number },
): Promise<void> {
  const first = time.now();
  while (waits && shortestSince(first, time.now()) < Math.max(durationMs, holderMs)) {
    await time.sleep(Math.min(1_000, durationMs / 20));
    if ((await store.read(objectNames.lease))?.version !== version) throw stillActive();
  }
  const fence = 1 + Math.max(record?.fence ?? 0, await largestFence(store, undefined));
  const free = record ?? (await unknownLease(store, durationMs));
  const wanted = { name: objectNames.lease, expected: version, bytes: leaseBytes({ ...free, fence }) };
  if ((await settledSwap(store, wanted, patienceFor(time, durationMs))) === undefined) throw lockLost();
}

/** Without a state, there may have been one: a state that is gone is never a first run. */
async function unknownLease(store: RemoteStore, durationMs: number): Promise<LeaseRecord> {
  const hasState = (await store.read(objectNames.state)) !== undefined;
  return {
    lease: 1,
    id: '',
    token: null,
    fence: 0,
    folded_through: 0,
    state: hasState ? null : { serial: 0, digest: '' },
    timeline: await store.timeline(),
    duration_ms: durationMs,
    heartbeat: 0,
    owner: null,
  };
}

function unknownRun(why: string): string {
  return `an unknown run (${why})`;
}
