/*
 * An edge of which a plan changes only what requests must satisfy: each route matches the same requests during the whole
 * apply, and forwards them to the same backend. So the effect of the plan follows from the steps of a route and its edge,
 * and request classes need not be traced through each step.
 */
import { addToGroup } from '../../model/group-by.ts';
import type { Selector } from '../../kinds/kind.ts';
import type { InstanceKey, Movement } from '../order/plan-node.ts';
import { pathOfSelector, type RouteGroup } from '../routing/request-classes.ts';
import type { RoutingNode } from '../routing/routing-model.ts';
import { routeSelector } from '../routing/route-selector.ts';
import { routingModules } from '../routing/routing-modules.ts';

/** An existing edge with its routes. No two of them have the same match, and none selects by host. */
export interface SettledEdge {
  readonly instance: InstanceKey;
  readonly node: RoutingNode;
  readonly routes: readonly SettledRoute[];
  /** The steps that change the edge itself. */
  readonly steps: readonly Movement[];
  /** The steps of the edge and of all its routes, in order. */
  readonly allSteps: readonly Movement[];
}

/** A route of such an edge, with the steps that change it. */
export interface SettledRoute {
  readonly instance: InstanceKey;
  readonly node: RoutingNode;
  readonly selector: Selector;
  readonly steps: readonly Movement[];
}

type Steps = Pick<RouteGroup, 'start' | 'nodes'>;

// Access hazards and interruptions need the same edge.
const known = new WeakMap<Steps, SettledEdge | 'none'>();

/** The settled edge that a route group consists of; undefined if the group is anything else. */
export function settledEdgeOf(group: Steps): SettledEdge | undefined {
  const found = known.get(group) ?? findEdge(group) ?? 'none';
  known.set(group, found);
  return found === 'none' ? undefined : found;
}

function findEdge({ start, nodes }: Steps): SettledEdge | undefined {
  if (start.size === 0 || !nodes.every(isOfControls)) return undefined;
  const stepsOf = new Map<InstanceKey, Movement[]>();
  for (const step of nodes) {
    const { instance } = step.effect;
    if (!start.has(instance)) return undefined;
    addToGroup(stepsOf, instance, step);
  }
  const routes: SettledRoute[] = [];
  const paths = new Set<string>();
  let edge: readonly [InstanceKey, RoutingNode] | undefined;
  for (const [instance, node] of start) {
    if (node.passesThrough === true) return undefined;
    if (node.parent === undefined) {
      if (edge !== undefined) return undefined;
      edge = [instance, node];
      continue;
    }
    const selector = routeSelector(node);
    if (selector === undefined || selector.host !== undefined) return undefined;
    const path = pathOfSelector(selector);
    if (paths.has(path)) return undefined;
    paths.add(path);
    routes.push({ instance, node, selector, steps: stepsOf.get(instance) ?? none });
  }
  if (edge === undefined) return undefined;
  const [instance, node] = edge;
  if (routes.some((route) => route.node.parent !== instance)) return undefined;
  return { instance, node, routes, steps: stepsOf.get(instance) ?? none, allSteps: nodes };
}

const none: readonly Movement[] = [];

/** Whether a movement is a step of the plan that permanently changes only what requests must satisfy. */
function isOfControls({ role, kind, effect }: Movement): boolean {
  if (effect.type !== 'changes' || effect.passesThrough === true || role === 'prepare' || role === 'drift')
    return false;
  const { steering } = routingModules(kind);
  return Object.keys(effect.sets).every((name) => !steering.has(name));
}

/** Whether at each moment the requests of each route must satisfy what they must before the plan, or what they must after it. */
export function changesAtOnce({ routes, steps }: SettledEdge): boolean {
  return routes.every((route) => route.steps.length + steps.length < 2);
}
