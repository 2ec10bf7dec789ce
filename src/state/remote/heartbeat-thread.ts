/*
 * The thread that sends the heartbeats of leases, so that they go on while the main thread is busy. It tells the main
 * thread through shared memory when the last confirmed one was sent, and gets the content of the next one by messages.
 */
import { openSharedStore } from '../shared-store.ts';
import type { HeartbeatStart } from './heartbeat-start.ts';
import { LeaseKeeper, type LeaseFacts } from './lease-keeper.ts';
import { machineTime } from '../lease/lease-time.ts';
import { LeaseWindow } from '../lease/lease-window.ts';
import { serveTasks } from '../lease/thread-tasks.ts';

serveTasks<LeaseFacts>(async (start, onRefused) => {
  const { store: options, taken, timing, shared } = start as HeartbeatStart;
  const store = await openSharedStore(options);
  const window = new LeaseWindow(timing, machineTime, shared);
  const keeper = new LeaseKeeper({ store, taken, timing, time: machineTime, window, onRefused });
  keeper.start();
  return {
    receive: (facts) => keeper.note(facts),
    end: async () => {
      await keeper.release();
      await store.close();
    },
  };
});
