import type { SharedStoreOptions } from '../shared-store.ts';
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
