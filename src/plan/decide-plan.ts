import { decideResources, type DecidedResources } from './decide-resources.ts';
import { atOnce, type Sliced } from '../model/sliced.ts';
import type { PlanInput } from './input.ts';
import { orderChanges, type OrderedSteps } from './order/order-changes.ts';
import { withReferencedValues } from './referenced-values.ts';

/** What a plan decides about each resource, and the steps in order. */
export interface DecidedPlan extends DecidedResources {
  readonly ordered: OrderedSteps;
}

/** Decides what has to change, and in which order, with the values that resources take from others. */
export function decidePlan(whole: PlanInput): DecidedPlan {
  return atOnce(decidePlanInSteps(whole));
}

/** The same, in steps. */
export function* decidePlanInSteps(whole: PlanInput): Sliced<DecidedPlan> {
  const taken = yield* withReferencedValues(whole);
  const decided = yield* decideResources(taken.input);
  return {
    ...decided,
    diagnostics: [...taken.diagnostics, ...decided.diagnostics],
    ordered: yield* orderChanges(decided),
  };
}
