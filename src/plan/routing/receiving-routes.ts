import { oncePer } from '../../kinds/once-per.ts';
import { groupBy } from '../../model/group-by.ts';
import type { InstanceKey } from '../order/plan-node.ts';
import { hostWithoutPort, routeSelector } from './route-selector.ts';
import { pathOfSelector } from './request-classes.ts';
import { anyOtherHost, classAt, hostportsOf, matchingNode, type RoutingModel } from './routing-model.ts';

/** Tells which routes receive any request: their edge has a hostport, and other routes of it do not take all of them. */
export function receivingRoutes(routing: RoutingModel): (route: InstanceKey) => boolean {
  let routesOf: ReadonlyMap<InstanceKey | undefined, readonly InstanceKey[]> | undefined;
  const receiving = oncePer(new Map<InstanceKey, ReadonlySet<InstanceKey>>(), (edge) => {
    routesOf ??= groupBy(routing.keys(), (instance) => routing.get(instance)?.parent);
    return receivingOf(edge, routesOf.get(edge) ?? [], routing);
  });
  return (route) => {
    const edge = routing.get(route)?.parent;
    return edge !== undefined && receiving(edge).has(route);
  };
}

function receivingOf(edge: InstanceKey, routes: readonly InstanceKey[], routing: RoutingModel): Set<InstanceKey> {
  const places = hostportsOf(routing.get(edge));
  if (places.length === 0) return new Set();
  const selecting = routes.flatMap((instance) => {
    const route = routing.get(instance);
    const selector = route === undefined ? undefined : routeSelector(route);
    return selector === undefined ? [] : [{ instance, selector }];
  });
  // Without hosts, only a route with the same match can take all requests of another: the one with less access control counts.
  const hasHosts = selecting.some(({ selector: { host } }) => host !== undefined);
  if (!hasHosts || routing.get(edge)?.passesThrough === true) return new Set(selecting.map(({ instance }) => instance));
  const instances = [edge, ...selecting.map(({ instance }) => instance)];
  return new Set(
    selecting.flatMap(({ instance, selector }) => {
      const path = pathOfSelector(selector);
      // Where requests for its own host go elsewhere, those for the hosts that a wildcard covers do as well.
      const host = selector.host === undefined ? anyOtherHost : hostWithoutPort(selector.host);
      const isMatched = places.some(
        (place) => matchingNode({ ...classAt(place, path), host }, routing, instances) === instance,
      );
      return isMatched ? [instance] : [];
    }),
  );
}
