import { isEmptyPlan } from '../../model/plan/plan.ts';
import type { ApplyResult } from '../formats/format.ts';
import { planSummary } from '../plan/plan-summary.ts';
import { outcomeSummary } from './outcome-text.ts';

/** The end of an apply, in one line. */
export function applySummary({ plan, outcome }: Pick<ApplyResult, 'plan' | 'outcome'>): string {
  if (isEmptyPlan(plan)) return planSummary(plan);
  return outcome === undefined ? `Nothing was written. ${planSummary(plan)}` : outcomeSummary(outcome);
}
