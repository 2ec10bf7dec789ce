import type { Change, FieldChange, Plan } from '../model/plan.ts';

/** The part of a plan that shows drift: resources that have changed since the last apply, and the changes that revert it. */
export function driftOnly(plan: Plan): Plan {
  const changes = plan.changes.flatMap((change): Change[] => {
    const fields = change.fields.filter(isDrift);
    const isWhole = change.deletedOutside !== undefined || change.markerDrifted === true;
    if (fields.length > 0 || isWhole) return [{ ...change, fields }];
    return change.action === 'none' ? [change] : [];
  });
  const shown = new Set(changes.map(({ address }) => address));
  const steps = plan.steps.filter(({ address }) => shown.has(address));
  const ids = new Set(steps.map(({ id }) => id));
  return {
    ...plan,
    changes,
    hazards: plan.hazards.filter(({ address }) => shown.has(address)),
    steps: steps.map((step) => ({ ...step, dependsOn: step.dependsOn.filter(({ step: id }) => ids.has(id)) })),
  };
}

function isDrift({ reason }: FieldChange): boolean {
  return reason === 'drifted' || reason === 'both';
}
