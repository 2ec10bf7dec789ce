import type { Address } from '../address.ts';
import type { Change } from './plan.ts';

/** The commit that a change is compared with. */
export interface PlanBase {
  /** As given, such as `origin/main`. */
  readonly ref: string;
  /** The merge base of `ref` and HEAD. */
  readonly commit: string;
  /** How many commits it has beyond that one. */
  readonly ahead: number;
}

/** What was pending without a change, in two parts: the commit that was applied last lies between them. */
export interface PendingParts {
  /** The commit that was applied last. */
  readonly commit: string;
  /** From the account to that commit. */
  readonly drift: readonly Change[];
  /** From an account in which that commit was applied to the base. */
  readonly notApplied: readonly Change[];
}

/** A plan in parts: what this change does, and what was pending without it; or why the two cannot be distinguished. */
export type PlanParts = { readonly base: PlanBase } & (
  | {
      /** From an account in which the base was applied to the manifests. */
      readonly thisChange: readonly Change[];
      /** From the account to the base. */
      readonly pending: readonly Change[];
      /** The same in parts, or why drift is not known. */
      readonly applied: PendingParts | { readonly unknown: string };
    }
  | { readonly inseparable: string }
);

/** What two parts of a plan both change, by address: pointers of fields; none where it is not about fields. */
export type InBothParts = ReadonlyMap<Address, readonly string[]>;
