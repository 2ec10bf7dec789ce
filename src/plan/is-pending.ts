import { isUnallowedBreach } from '../model/exposure/access-rules.ts';
import { isEmptyPlan, type Plan } from '../model/plan/plan.ts';

/** Whether somebody has to act: changes to apply, a creation to resolve, or an access rule that is broken in the account. */
export function isPending(plan: Plan): boolean {
  return !isEmptyPlan(plan) || plan.unresolved.length > 0 || plan.rules?.some(isUnallowedBreach) === true;
}
