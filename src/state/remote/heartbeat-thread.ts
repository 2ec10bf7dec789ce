/*
 * The thread that sends the heartbeats of leases, so that they go on while the main thread is busy. It tells the main
 * thread through shared memory when the last confirmed one was sent, and gets the content of the next one by messages.
 */
import { openSharedStore, type SharedStoreOptions } from '../shared-store.ts';
import { keepLease, type LeaseFacts } from './lease-keeper.ts';
import { machineTime } from '../lease/lease-time.ts';
import { LeaseWindow } from '../lease/lease-window.ts';
import { serveTasks } from '../lease/thread-tasks.ts';
import type { LeaseTiming } from '../lease/lease-timing.ts';
import type { TakenLease } from './take-lease.ts';

/** What the heartbeats of a lease begin with. */
export interface HeartbeatStart {
  readonly store: SharedStoreOptions;
  readonly taken: TakenLease;
  readonly timing: LeaseTiming;
  /** The memory of the window. */
  readonly shared: SharedArrayBuffer;
}

serveTasks<LeaseFacts>(async (start, onRefused) => {
  const { store: options, taken, timing, shared } = start as HeartbeatStart;
  const store = await openSharedStore(options);
  const window = new LeaseWindow(timing, machineTime, shared);
  const { note, release } = keepLease({ store, taken, timing, time: machineTime, window, onRefused });
  return {
    receive: note,
    end: async () => {
      await release();
      await store.close();
    },
  };
});
