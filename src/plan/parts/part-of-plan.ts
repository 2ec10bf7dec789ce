import { isAtOrBelow, pointerOf } from '../../derive/pointer.ts';
import { causesOf, type Change, type Plan, revisedPlan, hasDrifted, isDrift } from '../../model/plan/plan.ts';
import type { InBothParts } from '../../model/plan/plan-parts.ts';

/** A plan with some of its changes only, for showing: their requests and hazards, or those of the same resources. */
export function partOfPlan(plan: Plan, changes: readonly Change[]): Plan {
  const shown = new Set(changes.map(({ address }) => address));
  const steps = plan.steps.filter(({ address }) => shown.has(address));
  const ids = new Set(steps.map(({ id }) => id));
  return revisedPlan(plan, {
    changes,
    hazards: plan.hazards.filter((hazard) => [hazard.address, ...causesOf(hazard)].some((one) => shown.has(one))),
    steps: steps.map((step) => ({ ...step, dependsOn: step.dependsOn.filter(({ step: id }) => ids.has(id)) })),
  });
}

/** The part of a plan that shows drift: resources that have changed since the last apply, and the changes that revert it. */
export function driftOnly(plan: Plan): Plan {
  const changes = plan.changes.flatMap((change): Change[] => {
    if (hasDrifted(change)) return [{ ...change, fields: change.fields.filter(isDrift) }];
    return change.action === 'none' ? [change] : [];
  });
  return partOfPlan(plan, changes);
}

/** The resources and fields that two parts of a plan both change. */
export function inBothParts(part: readonly Change[], other: readonly Change[]): InBothParts {
  const others = new Map(other.map((change) => [change.address, change]));
  return new Map(
    part.flatMap((change): [string, readonly string[]][] => {
      const other = others.get(change.address);
      return other === undefined ? [] : [[change.address, sharedFields(change, other)]];
    }),
  );
}

/** Fields that both set, also where one of them sets a group around it; none where a resource is created or deleted. */
function sharedFields({ fields }: Change, other: Change): readonly string[] {
  const others = other.fields.map(({ path }) => pointerOf(path));
  return fields
    .map(({ path }) => pointerOf(path))
    .filter((pointer) => isAtOrBelow(pointer, others) || others.some((one) => isAtOrBelow(one, [pointer])));
}
