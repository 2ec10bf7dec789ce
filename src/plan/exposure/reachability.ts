import { addToGroup } from '../../model/group-by.ts';
import type { InstanceKey, Movement } from '../order/plan-node.ts';
import { accessOf, type Access } from './access.ts';
import type { RouteGroup, TrackedClass } from '../routing/request-classes.ts';
import { applyStep, type RoutingNode } from '../routing/routing-model.ts';

/** The access of a request class after a movement; without `step`: before the first one. */
export interface ReachabilityStep<M extends Movement = Movement> extends Access {
  readonly step?: M;
}

/** The access of one request class over time: at first, and after each movement that touches it. */
export interface ReachabilityTrace<M extends Movement = Movement> {
  readonly tracked: TrackedClass<M>;
  readonly first: ReachabilityStep<M>;
  readonly last: ReachabilityStep<M>;
  readonly moments: readonly ReachabilityStep<M>[];
}

/** Traces every class of a group through movements, in the given order. */
export function reachabilityTraces<M extends Movement>(
  { start, tracked }: RouteGroup<M>,
  steps: readonly M[],
): ReachabilityTrace<M>[] {
  const routing = new Map<InstanceKey, RoutingNode>(start);
  const touched = new Map<M, TrackedClass<M>[]>();
  for (const one of tracked) for (const node of one.nodes) addToGroup(touched, node, one);
  const accessNow = (one: TrackedClass<M>, step?: M): ReachabilityStep<M> => {
    const access = accessOf(one.requestClass, routing, one.instances);
    return step === undefined ? access : { ...access, step };
  };
  const moments = new Map(tracked.map((one) => [one, [accessNow(one)]]));
  for (const step of steps) {
    applyStep(routing, step);
    for (const one of touched.get(step) ?? []) moments.get(one)?.push(accessNow(one, step));
  }
  return tracked.flatMap((one) => {
    const own = moments.get(one) ?? [];
    const [first, last] = [own[0], own.at(-1)];
    return first === undefined || last === undefined ? [] : [{ tracked: one, first, last, moments: own }];
  });
}

/** The last movement after which a condition no longer holds; undefined if it never stops to hold, or never holds. */
export function lostAtStep<M extends Movement>(
  { moments }: Pick<ReachabilityTrace<M>, 'moments'>,
  holds: (moment: ReachabilityStep<M>) => boolean,
): M | undefined {
  const at = moments.findLastIndex((moment, index) => {
    const before = moments[index - 1];
    return before !== undefined && holds(before) && !holds(moment);
  });
  return moments[at]?.step;
}
