import type { WatchFailure, WatchStatus } from './watch-status.ts';

/** A stack of a fleet. Without a status it has not started, or cannot be. */
export interface FleetStack {
  /** The directory of the stack, from that of the fleet; `.`: the directory itself. */
  readonly path: string;
  readonly status?: WatchStatus;
  /** Why it cannot be watched. */
  readonly failure?: WatchFailure;
}

/** The status of all stacks that one process watches. */
export interface FleetStatus {
  readonly version: string;
  readonly startedAt: number;
  /** When this value was taken. */
  readonly now: number;
  readonly isStopping: boolean;
  readonly stacks: readonly FleetStack[];
  /** When the directory has been searched for stacks again at the latest; absent: it has not been searched yet. */
  readonly searchDueBy?: number;
  /** When the directory was last searched without a failure; absent: it never was. */
  readonly lastSearch?: number;
  /** Why the last search failed. */
  readonly searchFailure?: string;
}
