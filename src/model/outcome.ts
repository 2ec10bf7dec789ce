import type { Address } from './address.ts';
import type { Action } from './plan/plan.ts';
import type { UnresolvedCreation } from './unresolved.ts';

/** How a change may end (law 10). */
export const endings = ['done', 'failed', 'unknown', 'skipped', 'not-started'] as const;

/** How a change ended. */
export type Ending = (typeof endings)[number];

/** How one change ended and why. */
export interface ChangeOutcome {
  readonly address: Address;
  readonly action: Action;
  readonly ending: Ending;
  readonly id?: string;
  /** It did not get done, but a part of it was written. */
  readonly partiallyApplied?: boolean;
  /** What went wrong; already safe of secrets. */
  readonly message?: string;
  /** For `skipped`: the address whose failure it waited for. */
  readonly failedDependency?: Address;
  readonly code?: string;
  readonly status?: number;
}

/** What was created, while somebody else has created the same: both carry one ownership marker. */
export interface Duplicate {
  readonly address: Address;
  readonly kind: string;
  readonly id: string;
  /** The ids of the others. */
  readonly otherIds: readonly string[];
}

/** How an apply ended. */
export interface Outcome {
  readonly changes: readonly ChangeOutcome[];
  /** Write requests sent. */
  readonly requests: number;
  readonly interrupted: boolean;
  /** Creations of earlier runs that only a person can resolve, and that no change of this run has resolved. */
  readonly unresolved: readonly UnresolvedCreation[];
  /** What this run has created and somebody else as well. */
  readonly duplicates: readonly Duplicate[];
  /** What was made could not be remembered, or no more of it: then nothing more was started. */
  readonly stateError?: UnsavedState;
}

/** Why state could not be saved, and what to do. */
export interface UnsavedState {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** Whether something was written, or may have been. */
export function hasWritten(changes: Outcome['changes']): boolean {
  return changes.some(
    ({ ending, partiallyApplied }) => ending === 'done' || ending === 'unknown' || partiallyApplied === true,
  );
}

/** Whether every change was made. */
export function areAllDone(changes: Outcome['changes']): boolean {
  return changes.every(({ ending }) => ending === 'done');
}

/** Something that happened during an apply, for progress and event streams. */
export type ApplyEvent =
  | { readonly type: 'started'; readonly address: Address; readonly action: Action; readonly step: string }
  | { readonly type: 'waiting'; readonly address: Address; readonly why: string }
  | { readonly type: 'finished'; readonly outcome: ChangeOutcome; readonly done: number; readonly total: number };
