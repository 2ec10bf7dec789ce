import type { SharedStoreOptions } from '../shared-store.ts';
import type { LeaseFacts } from './lease-keeper.ts';
import type { LeaseTiming } from '../lease/lease-timing.ts';
import type { TakenLease } from './take-lease.ts';

/** What the thread that sends heartbeats begins with. */
export interface HeartbeatStart {
  readonly store: SharedStoreOptions;
  readonly taken: TakenLease;
  readonly timing: LeaseTiming;
  /** The memory of the window. */
  readonly shared: SharedArrayBuffer;
}

/** What the main thread tells it. */
export type HeartbeatMessage = { readonly note: LeaseFacts } | { readonly release: true };
