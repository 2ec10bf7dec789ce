/*
 * An edge that a plan creates with all its routes. Nothing is reachable before, and each step only adds. So most findings
 * follow from its routes alone, and request classes need not be traced through each step.
 */
import type { Selector } from '../../kinds/kind.ts';
import type { InstanceKey, Movement } from '../order/plan-node.ts';
import { controlsAsked, isPublicAccess, isReachable, type Access } from './access.ts';
import { backendReached, type RouteBackend } from '../routing/backend-of.ts';
import { moduleEffects, type AccessControls } from '../routing/module-effects.ts';
import type { RouteGroup } from '../routing/request-classes.ts';
import { UNREACHABLE, type RoutingNode } from '../routing/routing-model.ts';
import { routeSelector } from '../routing/route-selector.ts';

/** An edge that does not exist yet, with all its routes. None of them selects by host. */
export interface NewEdge {
  readonly instance: InstanceKey;
  readonly edge: RoutingNode;
  /** In the order in which they are created. */
  readonly routes: readonly NewRoute[];
  readonly steps: readonly Movement[];
}

/** A route of a new edge, and the access of the requests that it matches. */
export interface NewRoute {
  readonly step: Movement;
  readonly turn: number;
  readonly selector: Selector;
  readonly access: Access;
  readonly backend: RouteBackend | undefined;
  readonly controls: AccessControls;
  /** Whether its requests reach something, and must satisfy an access control with any method. */
  readonly isProtected: boolean;
}

// The order and the hazards need the same edge, mostly with its steps in the same order.
const known = new WeakMap<Movement, NewEdge>();

/** The new edge that a route group consists of; undefined if the group is anything else. */
export function newEdgeOf({ start, nodes }: Pick<RouteGroup, 'start' | 'nodes'>): NewEdge | undefined {
  const [first] = nodes;
  if (start.size > 0 || first === undefined) return undefined;
  const found = known.get(first);
  if (found?.steps.length === nodes.length && nodes.every((step, index) => step === found.steps[index])) return found;
  const added = findEdge(nodes);
  if (added !== undefined) known.set(first, added);
  return added;
}

function findEdge(nodes: readonly Movement[]): NewEdge | undefined {
  const isNew = nodes.every(({ role, effect }) => role === 'create' && effect.type === 'begins');
  const [own, second] = nodes.filter(({ effect }) => effect.type === 'begins' && effect.parent === undefined);
  if (!isNew || own?.effect.type !== 'begins' || second !== undefined) return undefined;
  const { instance, spec } = own.effect;
  const edge: RoutingNode = { kind: own.kind, spec };
  const routes: NewRoute[] = [];
  for (const step of nodes) {
    if (step === own) continue;
    const route = newRoute(step, routes.length, instance, edge);
    if (route === undefined) return undefined;
    routes.push(route);
  }
  return { instance, edge, routes, steps: nodes };
}

function newRoute(step: Movement, turn: number, parent: InstanceKey, edge: RoutingNode): NewRoute | undefined {
  const { effect, kind } = step;
  if (effect.type !== 'begins' || effect.parent !== parent) return undefined;
  const route: RoutingNode = { kind, spec: effect.spec, parent };
  const selector = routeSelector(route);
  if (selector === undefined || selector.host !== undefined) return undefined;
  const access: Access = { reach: moduleEffects(route).reach, matchedBy: effect.instance, route, edge };
  const isProtected = isReachable(access) && !isPublicAccess(access, 'OPTIONS');
  const [controls, backend] = [controlsAsked(access), backendReached(access)];
  return { step, turn, selector, access, backend, controls, isProtected };
}

/** Whether the order of creation matters: a wider route with less access control, if created first, would match requests of another route. */
export function needsOrder({ routes }: NewEdge): boolean {
  // If all require the same, it does not matter which of them matches a request.
  const [first] = routes;
  if (routes.every(({ controls }) => controls === first?.controls)) return false;
  const least = new Map<string, AccessControls>();
  for (const { selector, controls } of routes)
    least.set(selector.path, (least.get(selector.path) ?? UNREACHABLE) & controls);
  const lengths = [...new Set([...least.keys()].map(({ length }) => length))];
  return routes.some(({ selector: { path }, controls }) =>
    lengths.some((length) => {
      const wider = length > path.length ? undefined : least.get(path.slice(0, length));
      return wider !== undefined && (wider & controls) !== controls;
    }),
  );
}
