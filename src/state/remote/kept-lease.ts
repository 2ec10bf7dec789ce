import type { HeartbeatStart } from './heartbeat-thread.ts';
import { LastRefusal, type HeartbeatRefusal } from './heartbeat-refusal.ts';
import { keepLease, type LeaseFacts, type LeaseKeeper } from './lease-keeper.ts';
import { startTask } from '../lease/lease-thread.ts';
import { machineTime, type LeaseTime } from '../lease/lease-time.ts';
import type { LeaseTiming } from '../lease/lease-timing.ts';
import { LeaseWindow, windowBytes } from '../lease/lease-window.ts';
import type { RemoteStore } from './remote-store.ts';
import type { TakenLease } from './take-lease.ts';

/** A lease whose heartbeats are sent by somebody. */
export interface KeptLease extends LeaseKeeper {
  readonly window: LeaseWindow;
  readonly refusal: LastRefusal;
}

/** Sends the heartbeats from this thread: for tests, and where the program is not built. */
export function keepInThisThread(
  store: RemoteStore,
  taken: TakenLease,
  timing: LeaseTiming,
  time: LeaseTime,
): KeptLease {
  const window = new LeaseWindow(timing, time, new SharedArrayBuffer(windowBytes));
  const refusal = new LastRefusal(timing, time);
  const onRefused = refusal.note.bind(refusal);
  return { window, refusal, ...keepLease({ store, taken, timing, time, window, onRefused }) };
}

/** Has a thread send the heartbeats of a lease. If the thread fails, nothing more is written, and the lease expires. */
export function keepOnThread(url: URL, start: Omit<HeartbeatStart, 'shared'>): KeptLease {
  const shared = new SharedArrayBuffer(windowBytes);
  const window = new LeaseWindow(start.timing, machineTime, shared);
  window.sign();
  window.confirm(start.taken.sentAt);
  const refusal = new LastRefusal(start.timing, machineTime);
  const task = startTask<LeaseFacts>(url, { ...start, shared } satisfies HeartbeatStart, (one) =>
    refusal.note(one as HeartbeatRefusal),
  );
  return {
    window,
    refusal,
    note: (facts) => task.notify(facts),
    // A store that does not answer must not keep a run from ending: the lease expires.
    release: async () => {
      await task.end();
      window.lose();
    },
  };
}
