import type { Address } from './address.ts';
import type { Change } from './plan/plan.ts';

/** Something that did not get done. */
export interface VerificationFailure {
  /** Absent where it is not about one resource. */
  readonly address?: Address;
  readonly message: string;
}

/** What became of a plan on a copy of the account, where it was carried out and planned again. */
export interface Verification {
  /** Everything got done, and nothing was left to do. */
  readonly converges: boolean;
  /** Write requests that it took there. */
  readonly requests: number;
  readonly failures: readonly VerificationFailure[];
  /** What a plan made afterwards would still change. */
  readonly remaining: readonly Change[];
  /** What the copy takes for granted: of this nothing is proven. */
  readonly assumptions: readonly string[];
}
