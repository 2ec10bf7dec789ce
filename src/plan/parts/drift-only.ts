import { hasDrifted, isDrift } from '../../model/plan/has-drifted.ts';
import type { Change, Plan } from '../../model/plan/plan.ts';
import { partOfPlan } from './part-of-plan.ts';

/** The part of a plan that shows drift: resources that have changed since the last apply, and the changes that revert it. */
export function driftOnly(plan: Plan): Plan {
  const changes = plan.changes.flatMap((change): Change[] => {
    if (hasDrifted(change)) return [{ ...change, fields: change.fields.filter(isDrift) }];
    return change.action === 'none' ? [change] : [];
  });
  return partOfPlan(plan, changes);
}
