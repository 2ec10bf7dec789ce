import type { StackElsewhere } from '../../model/status/fleet-status.ts';

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
