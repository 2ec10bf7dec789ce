import {
  UNREACHABLE,
  applyStep,
  matchingNode,
  accessControlsFor,
  type AccessControls,
  type RoutingNode,
} from './routing-model.ts';
import type { PlanNode, InstanceKey } from '../order/plan-node.ts';
import type { RouteGroup, TrackedClass } from './request-classes.ts';

/** What becomes of a sort of request after a step; before the first one there is none. */
export interface ReachabilityStep {
  readonly step?: PlanNode;
  readonly guards: AccessControls;
  /** What catches it then. */
  readonly catcher: InstanceKey | undefined;
  readonly catching: RoutingNode | undefined;
  /** What the catcher lives in. */
  readonly home: RoutingNode | undefined;
}

/** What becomes of one sort of request while the steps of its district are taken: now, and after each that touches it. */
export interface ReachabilityTrace {
  readonly tracked: TrackedClass;
  readonly first: ReachabilityStep;
  readonly last: ReachabilityStep;
  readonly moments: readonly ReachabilityStep[];
}

/** Follows every probe of a district through steps, in the order given. */
export function reachabilityTraces({ start, tracked }: RouteGroup, steps: readonly PlanNode[]): ReachabilityTrace[] {
  const routing = new Map(start);
  const touched = new Map<PlanNode, TrackedClass[]>();
  for (const one of tracked) for (const node of one.nodes) touched.set(node, [...(touched.get(node) ?? []), one]);
  const look = (one: TrackedClass, step?: PlanNode): ReachabilityStep => {
    const catcher = matchingNode(one.requestClass, routing, one.instances);
    const catching = catcher === undefined ? undefined : routing.get(catcher);
    return {
      ...(step === undefined ? {} : { step }),
      guards: accessControlsFor(one.requestClass, routing, one.instances),
      catcher,
      catching,
      home: catching?.parent === undefined ? undefined : routing.get(catching.parent),
    };
  };
  const moments = new Map(tracked.map((one) => [one, [look(one)]]));
  for (const step of steps) {
    applyStep(routing, step.effect, step.kind);
    for (const one of touched.get(step) ?? []) moments.get(one)?.push(look(one, step));
  }
  return tracked.flatMap((one) => {
    const own = moments.get(one) ?? [];
    const [first, last] = [own[0], own.at(-1)];
    return first === undefined || last === undefined ? [] : [{ tracked: one, first, last, moments: own }];
  });
}

/** Whether a sort of request reaches a backend then. */
export function reachesBackend({ guards }: ReachabilityStep): boolean {
  return guards !== UNREACHABLE;
}

/** The last step with which something held no longer; undefined where it holds to the end, or never did. */
export function lostAtStep(
  { moments }: ReachabilityTrace,
  holds: (moment: ReachabilityStep) => boolean,
): PlanNode | undefined {
  const at = moments.findLastIndex((moment, index) => {
    const before = moments[index - 1];
    return before !== undefined && holds(before) && !holds(moment);
  });
  return moments[at]?.step;
}
