import { decidePlan } from '../decide-plan.ts';
import { idNaming, type IdNaming } from '../exposure/id-naming.ts';
import { applyStep, type RoutingModel } from '../exposure/routing-model.ts';
import type { PlanInput } from '../input.ts';
import type { Movement } from '../order/plan-node.ts';

/** The edges and routes of a stack as they are now, and as a plan leaves them. */
export interface PlannedRouting {
  readonly now: RoutingModel;
  readonly planned: RoutingModel;
  readonly named: IdNaming;
  /** What leads from one to the other. */
  readonly steps: readonly Movement[];
}

/** Plans, and carries the steps out on the model. */
export function plannedRouting(whole: PlanInput): PlannedRouting {
  const { decisions, ordered, input } = decidePlan(whole);
  const { nodes, routing: now } = ordered;
  const planned = new Map(now);
  for (const { effect, kind } of nodes) applyStep(planned, effect, kind);
  return { now, planned, steps: nodes, named: idNaming(decisions, input) };
}
