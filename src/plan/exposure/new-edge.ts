/*
 * An edge that a plan creates whole: nothing reaches it before, and each step only adds to what does. Most of what has to be
 * found out about it follows from its routes alone, without following each class of requests through each step.
 */
import type { InstanceKey, Movement } from '../order/plan-node.ts';
import { isPublicAccess } from './access.ts';
import { moduleEffects, type AccessControls } from '../routing/module-effects.ts';
import type { RouteGroup } from '../routing/request-classes.ts';
import { UNREACHABLE, type RoutingNode } from '../routing/routing-model.ts';
import { routeSelector } from '../routing/route-selector.ts';

/** An edge that does not exist yet, with all its routes. */
export interface NewEdge {
  readonly instance: InstanceKey;
  readonly edge: RoutingNode;
  readonly routes: ReadonlyMap<InstanceKey, RoutingNode>;
  /** What creates it and its routes, in order. */
  readonly steps: readonly Movement[];
}

/** The new edge that a route group consists of; undefined where it is anything else. */
export function newEdgeOf({ start, nodes }: Pick<RouteGroup<Movement>, 'start' | 'nodes'>): NewEdge | undefined {
  if (start.size > 0) return undefined;
  const begun = new Map<InstanceKey, RoutingNode>();
  let own: InstanceKey | undefined;
  for (const { role, effect, kind } of nodes) {
    if (role !== 'create' || effect.type !== 'begins' || begun.has(effect.instance)) return undefined;
    const { instance, parent, spec } = effect;
    if (parent === undefined && own !== undefined) return undefined;
    if (parent === undefined) own = instance;
    begun.set(instance, parent === undefined ? { kind, spec } : { kind, spec, parent });
  }
  const edge = own === undefined ? undefined : begun.get(own);
  if (own === undefined || edge === undefined) return undefined;
  begun.delete(own);
  for (const { parent } of begun.values()) if (parent !== own) return undefined;
  return { instance: own, edge, routes: begun, steps: nodes };
}

/** Whether requests to it may satisfy less while it is created than afterwards: a route that is there earlier takes those of another. */
export function needsOrder({ edge, routes }: NewEdge): boolean {
  const least = new Map<string, AccessControls>();
  const asked: { readonly path: string; readonly controls: AccessControls }[] = [];
  for (const route of routes.values()) {
    const selector = routeSelector(route);
    if (selector?.host !== undefined) return true;
    if (selector === undefined) continue;
    const controls =
      moduleEffects(route).reach === 'nothing'
        ? UNREACHABLE
        : moduleEffects(route).controls | moduleEffects(edge).controls;
    asked.push({ path: selector.path, controls });
    least.set(selector.path, (least.get(selector.path) ?? UNREACHABLE) & controls);
  }
  const lengths = [...new Set([...least.keys()].map(({ length }) => length))];
  return asked.some(({ path, controls }) =>
    lengths.some((length) => {
      const wider = length > path.length ? undefined : least.get(path.slice(0, length));
      return wider !== undefined && (wider & controls) !== controls;
    }),
  );
}

/** Whether all requests to it reach something, and every method must satisfy an access control. */
export function isProtectedThroughout({ edge, routes }: NewEdge): boolean {
  return [...routes.values()].every((route) => {
    const reach = moduleEffects(route).reach;
    return (
      reach !== 'nothing' &&
      routeSelector(route)?.host === undefined &&
      !isPublicAccess({ reach, route, edge }, 'OPTIONS')
    );
  });
}
