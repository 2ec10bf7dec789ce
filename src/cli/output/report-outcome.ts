import { kinds } from '../../kinds/index.ts';
import type { Outcome } from '../../model/outcome.ts';
import { isEmptyPlan, type Plan } from '../../model/plan/plan.ts';
import { outcomeJson } from '../../render/outcome/outcome-json.ts';
import { outcomeText } from '../../render/outcome/outcome-text.ts';
import { planJson } from '../../render/plan/plan-json.ts';
import type { Context } from '../context.ts';
import { outputTarget, type CommentFlags } from '../ci.ts';

/** Prints the outcome of an apply (undefined if it was not started), and returns the exit code. */
export function reportOutcome(
  context: Context,
  plan: Plan,
  flags: CommentFlags,
  outcome: Outcome | undefined,
  exitCode: number,
): number {
  const isSilent =
    outcome === undefined || (isEmptyPlan(plan) && outcome.stateError === undefined && outcome.unresolved.length === 0);
  context.result(
    () => (isSilent ? '' : `\n${outcomeText(outcome, context.palette, context.layout.width)}`),
    () => ({
      format_version: '1.0',
      plan: planJson(plan, { kinds }),
      outcome: outcome === undefined ? null : outcomeJson(outcome, exitCode),
    }),
    (format) => format.outcome?.({ plan, outcome, exitCode }, outputTarget(context, flags)),
  );
  // Text output contains this already; the other formats print it to standard error as well.
  if (outcome?.stateError !== undefined && !context.format.isInteractive)
    context.log('error', `error: ${outcome.stateError.message}\n  ${outcome.stateError.hint}`);
  return exitCode;
}
