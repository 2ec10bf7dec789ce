import type { WatchFailure, WatchStatus } from './watch-status.ts';

/** Why a replica leaves a stack to others. */
export const avoidReasons = [
  'behind', // its files are of an older commit than the one applied last
  'not-planned', // it cannot plan the stack, because of a missing key for example
  'given-back', // another replica has fewer stacks
] as const;

/** One of them. */
export type AvoidReason = (typeof avoidReasons)[number];

/** Who has a stack that this replica does not have. */
export interface StackElsewhere {
  /** The id of the replica; absent: nobody has it yet. */
  readonly replica?: string;
  /** Where its status page is. */
  readonly url?: string;
  readonly reason?: AvoidReason;
}

/** A stack of a fleet. Without a status it has not started, or cannot be. */
export interface FleetStack {
  /** The directory of the stack, from that of the fleet; `.`: the directory itself. */
  readonly path: string;
  readonly status?: WatchStatus;
  readonly failure?: WatchFailure;
  /** Who has it, if this process is one of several replicas and does not have it. */
  readonly elsewhere?: StackElsewhere;
}

/** The status of all stacks that one process watches. */
export interface FleetStatus {
  readonly version: string;
  readonly startedAt: number;
  /** When this value was taken. */
  readonly now: number;
  readonly isStopping: boolean;
  readonly stacks: readonly FleetStack[];
  /** It is one of several replicas, and has not joined them yet. */
  readonly isJoining?: boolean;
  /** When the directory has been searched for stacks again at the latest, by the monotonic clock of the process; absent: it has not been searched yet. */
  readonly searchDueBy?: number;
  /** When the directory was last searched without a failure; absent: it never was. */
  readonly lastSearch?: number;
  readonly searchFailure?: string;
}
