import { decidePlan } from '../decide-plan.ts';
import { currentRouting } from '../exposure/current-routing.ts';
import { idNaming, type IdNaming } from '../exposure/id-naming.ts';
import { inTurn } from '../exposure/request-classes.ts';
import { applyStep, type RoutingModel } from '../exposure/routing-model.ts';
import type { PlanInput } from '../input.ts';

/** The edges and routes of a stack as they are now, and as a plan leaves them. */
export interface PlannedRouting {
  readonly now: RoutingModel;
  readonly planned: RoutingModel;
  readonly named: IdNaming;
}

/** Plans, and carries the steps out on the model. */
export function plannedRouting(whole: PlanInput): PlannedRouting {
  const { decisions, ordered, input } = decidePlan(whole);
  const now = currentRouting(decisions, input.account, input.kinds);
  const planned = new Map(now);
  for (const { effect, kind } of inTurn(ordered.nodes)) applyStep(planned, effect, kind);
  return { now, planned, named: idNaming(decisions, input.account, input.desired.externals) };
}
