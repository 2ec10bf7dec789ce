import { leaseBytes, type LeaseRecord } from './lease-record.ts';
import { longestSince, type LeaseTime } from '../lease/lease-time.ts';
import type { LeaseTiming } from '../lease/lease-timing.ts';
import type { LeaseWindow } from '../lease/lease-window.ts';
import { refusalIn, type HeartbeatRefusal } from './heartbeat-refusal.ts';
import { objectNames, type RemoteStore } from './remote-store.ts';
import { patienceFor, pendingSwap, type PendingSwap, type SettledSwap } from './settled-swap.ts';
import type { TakenLease } from './take-lease.ts';

/** Facts about the state in a lease. */
export type LeaseFacts = Partial<Pick<LeaseRecord, 'state' | 'folded_through' | 'moved'>>;

/** What keeping a lease needs. */
export interface LeaseKeeperOptions {
  readonly store: RemoteStore;
  readonly taken: TakenLease;
  readonly timing: LeaseTiming;
  readonly time: LeaseTime;
  readonly window: LeaseWindow;
  readonly onRefused: (refusal: HeartbeatRefusal) => void;
}

/** A lease whose heartbeats are sent. */
export interface LeaseKeeper {
  /** Writes these facts about the state with the next heartbeat. */
  readonly note: (facts: LeaseFacts) => void;
  /** Ends the heartbeats and gives the lease back. If that fails, the lease expires. */
  readonly release: () => Promise<void>;
}

/** Sends the heartbeats of a lease until it is given back. One at a time writes it. */
export function keepLease({ store, taken, timing, time, window, onRefused }: LeaseKeeperOptions): LeaseKeeper {
  const over = new AbortController();
  let { record, version, sentAt } = taken;
  /** A heartbeat whose result is not known: another one would not fit what the store holds. */
  let pending: PendingSwap | undefined;
  window.sign();
  window.confirm(sentAt);
  const ended = sendHeartbeats().catch(() => undefined);

  async function sendHeartbeats(): Promise<void> {
    while (!over.signal.aborted && window.state !== 'lost') {
      const due = timing.heartbeatMs - longestSince(sentAt, time.now());
      if (due > 0) await time.sleep(due, over.signal);
      if (window.isAbandoned) return;
      await sendHeartbeat();
    }
  }

  async function sendHeartbeat(): Promise<void> {
    if (pending === undefined) {
      record = { ...record, heartbeat: record.heartbeat + 1 };
      pending = swapTo(record);
    }
    try {
      const swapped = await finish(pending, () => !over.signal.aborted && window.state !== 'over');
      if (swapped === undefined) return;
      sentAt = swapped.sentAt;
      window.confirm(sentAt);
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal !== undefined) onRefused(refusal);
      if (window.state === 'over') throw error;
      // What is refused now, as credentials are, may be accepted again in time.
      await time.sleep(timing.heartbeatMs / 4, over.signal);
    }
  }

  function swapTo(wanted: LeaseRecord): PendingSwap {
    return pendingSwap(store, { name: objectNames.lease, expected: version, bytes: leaseBytes(wanted) });
  }

  async function finish(swap: PendingSwap, mayGoOn: () => boolean): Promise<SettledSwap | undefined> {
    const swapped = await swap({ time, mayGoOn });
    pending = undefined;
    // Whatever is there now, nothing included, is not ours; a lease that is gone is never made again.
    if (swapped === undefined) window.lose();
    else version = swapped.version;
    return swapped;
  }

  async function giveBack(): Promise<void> {
    const { mayGoOn } = patienceFor(time, timing.storeDeadlineMs);
    if (pending !== undefined && (await finish(pending, mayGoOn)) === undefined) return;
    await finish(swapTo({ ...record, token: null, owner: null }), mayGoOn);
  }

  return {
    note: (facts) => {
      record = { ...record, ...facts };
    },
    release: async () => {
      over.abort();
      await ended;
      if (window.state === 'lost') return;
      await giveBack().catch(() => undefined);
      window.lose();
    },
  };
}
