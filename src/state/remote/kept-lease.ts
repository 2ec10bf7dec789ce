import { LastRefusal } from './heartbeat-refusal.ts';
import { LeaseKeeper, type LeaseFacts } from './lease-keeper.ts';
import type { LeaseTime } from '../lease/lease-time.ts';
import type { LeaseTiming } from '../lease/lease-timing.ts';
import { LeaseWindow, windowBytes } from '../lease/lease-window.ts';
import type { RemoteStore } from './remote-store.ts';
import type { TakenLease } from './take-lease.ts';

/** A lease whose heartbeats are sent by somebody. */
export interface KeptLease {
  readonly window: LeaseWindow;
  readonly refusal: LastRefusal;
  readonly note: (facts: LeaseFacts) => void;
  readonly release: () => Promise<void>;
}

/** Sends the heartbeats from this thread: for tests, and where the program is not built. */
export function keepInThisThread(
  store: RemoteStore,
  taken: TakenLease,
  timing: LeaseTiming,
  time: LeaseTime,
): Promise<KeptLease> {
  const window = new LeaseWindow(timing, time, new SharedArrayBuffer(windowBytes));
  const refusal = new LastRefusal(timing, time);
  const onRefused = refusal.note.bind(refusal);
  const keeper = new LeaseKeeper({ store, taken, timing, time, window, onRefused });
  keeper.start();
  return Promise.resolve({
    window,
    refusal,
    note: (facts) => keeper.note(facts),
    release: () => keeper.release(),
  });
}
