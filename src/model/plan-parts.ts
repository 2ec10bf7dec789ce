import type { Address } from './address.ts';
import type { Change } from './plan.ts';

/** The commit that a change is compared with. */
export interface PlanBase {
  /** As given, such as `origin/main`. */
  readonly ref: string;
  /** The last commit that it has in common with what is checked out. */
  readonly commit: string;
  /** How many commits it has beyond that one. */
  readonly ahead: number;
}

/** A plan in two parts: what this change does, and what was pending without it; or why the two cannot be told apart. */
export type PlanParts = { readonly base: PlanBase } & (
  | {
      /** From an account in which the base was applied to the manifests. */
      readonly thisChange: readonly Change[];
      /** From the account to the base. */
      readonly pending: readonly Change[];
    }
  | { readonly inseparable: string }
);

/** What both parts of a plan change, by address: pointers of fields, or `''` where it is not about fields. */
export type InBothParts = ReadonlyMap<Address, readonly string[]>;
