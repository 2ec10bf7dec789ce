import { isEmptyPlan, isPending } from '../../model/plan/plan.ts';
import type { ApplyResult, OutputTarget, PlanResult } from '../formats/format.ts';

/** How a command ended in one of several stacks. */
export interface StackResult {
  /** Its directory, as -C takes it. */
  readonly stack: string;
  /** What the command alone would have ended with; undefined if it was not started. */
  readonly exitCode?: number;
  /** The command succeeded, whether or not changes are pending. */
  readonly isComplete?: boolean;
  readonly planned?: { readonly result: PlanResult; readonly target: OutputTarget };
  readonly applied?: ApplyResult;
  readonly failure?: { readonly error: unknown };
  /** A stack that it depends on, which did not complete. */
  readonly failedDependency?: string;
  /** Nobody approved its plan. */
  readonly isDeclined?: boolean;
  /** What the command alone would have printed, as a value. */
  readonly value?: () => Readonly<Record<string, unknown>>;
}

/** How a command ended in several stacks. */
export interface StacksResult {
  readonly command: string;
  readonly exitCode: number;
  readonly stacks: readonly StackResult[];
}

/** What became of a stack, the most urgent first. */
export const stackStatuses = ['failed', 'skipped', 'not-started', 'applied', 'pending', 'unchanged', 'valid'] as const;

/** What became of a stack. */
export type StackStatus = (typeof stackStatuses)[number];

/** What became of a stack: `applied` and `pending` have changes, `valid` has no plan. */
export function stackStatus(result: StackResult): StackStatus {
  const { isComplete, planned, applied } = result;
  if (result.failedDependency !== undefined) return 'skipped';
  if (isComplete === undefined || result.isDeclined === true) return 'not-started';
  if (!isComplete) return 'failed';
  if (applied !== undefined) return isEmptyPlan(applied.plan) ? 'unchanged' : 'applied';
  if (planned === undefined) return 'valid';
  return isPending(planned.result.plan) ? 'pending' : 'unchanged';
}
