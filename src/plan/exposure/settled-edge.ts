/*
 * An edge of which a plan changes nothing but what requests must satisfy: the same route takes the same requests all along, and
 * leads them to the same. What the plan does to them follows from the steps of that route and of the edge, without following
 * each class of requests through each step.
 */
import { addToGroup } from '../../model/group-by.ts';
import type { Selector } from '../../kinds/kind.ts';
import type { InstanceKey, Movement } from '../order/plan-node.ts';
import { pathOfSelector, type RouteGroup } from '../routing/request-classes.ts';
import type { RoutingNode } from '../routing/routing-model.ts';
import { routeSelector } from '../routing/route-selector.ts';
import { routingModules } from '../routing/routing-modules.ts';

/** An edge that is there, with its routes. No two of them take the same requests, and none selects by host. */
export interface SettledEdge {
  readonly instance: InstanceKey;
  readonly node: RoutingNode;
  readonly routes: readonly SettledRoute[];
  /** What changes the edge itself. */
  readonly steps: readonly Movement[];
  /** The steps of the edge and of all its routes, in order. */
  readonly allSteps: readonly Movement[];
}

/** A route of such an edge, with what changes the route. */
export interface SettledRoute {
  readonly instance: InstanceKey;
  readonly node: RoutingNode;
  readonly selector: Selector;
  readonly steps: readonly Movement[];
}

type Steps = Pick<RouteGroup<Movement>, 'start' | 'nodes'>;

// Hazards of access and interruptions ask for the same group.
const known = new WeakMap<Steps, SettledEdge | 'none'>();

/** The settled edge that a route group consists of; undefined where it is anything else. */
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

/** Whether a step of the plan changes nothing but what requests must satisfy, for good. */
function isOfControls({ role, kind, effect }: Movement): boolean {
  if (effect.type !== 'changes' || effect.passesThrough === true || role === 'prepare' || role === 'drift')
    return false;
  const { steering } = routingModules(kind);
  return Object.keys(effect.sets).every((name) => !steering.has(name));
}

/** Whether the requests of each route must satisfy at each moment what they must before or what they must after. */
export function changesAtOnce({ routes, steps }: SettledEdge): boolean {
  return routes.every((route) => route.steps.length + steps.length < 2);
}
