import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ExposureMap } from '../../model/exposure/exposed-urls.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { PlanParts } from '../../model/plan/plan-parts.ts';
import type { Verification } from '../../model/verification.ts';
import type { StacksResult } from '../stacks/stacks-result.ts';
import type { PlatformName, Repository } from '../text/platform.ts';

/** A plan, with what identifies it. */
export interface PlanResult {
  readonly plan: Plan;
  readonly digest: string;
  /** When it was made, as RFC 3339. */
  readonly time: string;
  /** The result of applying it to a copy of the account. */
  readonly verified: Verification | undefined;
  /** What this change does, and what was already pending; undefined unless that was asked for. */
  readonly parts: PlanParts | undefined;
}

/** The end of an apply. */
export interface ApplyResult {
  readonly plan: Plan;
  /** Undefined if nothing was started. */
  readonly outcome: Outcome | undefined;
  readonly exitCode: number;
}

/** Where a result is read. */
export interface OutputTarget {
  readonly version: string;
  readonly platform: PlatformName;
  /** At most this many bytes, at least 2 KB. */
  readonly maxBytes: number;
  /** The repository of the stack on the web, if known. */
  readonly repository: Repository | undefined;
}

/** One output format: it renders every result, or those results for which it has a function. */
export interface Format {
  /** For a person at a terminal: progress is shown and questions are asked. */
  readonly isInteractive: boolean;
  /** Any result, as text for people or as a value. */
  readonly result?: (text: () => string, value: () => unknown) => string;
  readonly plan?: (result: PlanResult, target: OutputTarget) => string;
  readonly outcome?: (result: ApplyResult, target: OutputTarget) => string;
  readonly validation?: (diagnostics: readonly Diagnostic[], target: OutputTarget) => string;
  readonly stacks?: (result: StacksResult, target: OutputTarget) => string;
  readonly exposure?: (exposure: ExposureMap) => string;
  readonly failure?: (error: unknown, target: OutputTarget) => string;
}
