import type { Change, FieldChange, Plan } from '../../model/plan/plan.ts';
import { partOfPlan } from './part-of-plan.ts';

/** The part of a plan that shows drift: resources that have changed since the last apply, and the changes that revert it. */
export function driftOnly(plan: Plan): Plan {
  const changes = plan.changes.flatMap((change): Change[] => {
    const fields = change.fields.filter(isDrift);
    const isWhole = change.deletedOutside !== undefined || change.markerDrifted === true;
    if (fields.length > 0 || isWhole) return [{ ...change, fields }];
    return change.action === 'none' ? [change] : [];
  });
  return partOfPlan(plan, changes);
}

function isDrift({ reason }: FieldChange): boolean {
  return reason === 'drifted' || reason === 'both';
}
