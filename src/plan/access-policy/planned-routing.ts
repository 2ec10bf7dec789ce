import { decidePlan } from '../decide-plan.ts';
import { currentRouting } from '../exposure/current-routing.ts';
import { idNaming, type IdNaming } from '../exposure/id-naming.ts';
import { inTurn } from '../exposure/request-classes.ts';
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
  const now = currentRouting(decisions, input.account, input.kinds);
  const planned = new Map(now);
  const steps = inTurn(ordered.nodes);
  for (const { effect, kind } of steps) applyStep(planned, effect, kind);
  return { now, planned, steps, named: idNaming(decisions, input) };
}
