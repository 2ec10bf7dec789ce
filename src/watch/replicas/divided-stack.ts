import type { StackElsewhere } from '../../model/status/fleet-status.ts';
import type { WatchFailure, WatchStatus } from '../../model/status/watch-status.ts';

/** A stack of a fleet, as a replica takes it and gives it back. */
export interface DividedStack {
  /** `holds`: it has the lock. `awaits`: it tries to take it. */
  readonly claim: () => 'none' | 'awaits' | 'holds';
  /** Whether it is given back once its turn has ended. */
  readonly isLeaving: () => boolean;
  /** Why this replica cannot do what the stack needs, and for how long that has been so. */
  readonly trouble: () => { readonly reason: 'behind' | 'not-planned'; readonly forMs: number } | undefined;
  readonly intervalMs: () => number;
  readonly attempt: () => void;
  /** Gives it back: at the end of its turn, or now. */
  readonly release: (when: 'after-turn' | 'now') => void;
  /** Reports which replica has the stack while this one does not. */
  readonly setElsewhere: (elsewhere: StackElsewhere) => void;
}

/** What keeps a stack from being planned, for the longest time. */
export function troubleOfStack(
  failure: WatchFailure | undefined,
  status: WatchStatus | undefined,
  now: number,
): ReturnType<DividedStack['trouble']> {
  const unplanned = (status?.failures ?? []).filter(({ scope }) => needed.has(scope));
  const all = failure === undefined ? unplanned : [failure, ...unplanned];
  if (all.length === 0) return undefined;
  const forMs = now - Math.min(...all.map(({ since }) => since));
  return { reason: all.some(({ code }) => code === 'BEHIND_APPLIED') ? 'behind' : 'not-planned', forMs };
}

// Without the lock, or with pauses that cannot be read, nothing is planned.
const needed: ReadonlySet<string> = new Set(['manifests', 'account', 'lock', 'requests']);
