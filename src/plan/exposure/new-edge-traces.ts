import type { Selector } from '../../kinds/kind.ts';
import { answeringFor } from '../../model/wildcards.ts';
import type { InstanceKey, Movement } from '../order/plan-node.ts';
import { isPublicAccess, type Access } from './access.ts';
import { moduleEffects } from '../routing/module-effects.ts';
import type { NewEdge } from './new-edge.ts';
import type { ReachabilityStep, ReachabilityTrace } from './reachability.ts';
import { widthOf } from '../routing/request-classes.ts';
import { routeSelector } from '../routing/route-selector.ts';
import { hostportsOf, isMoreSpecific, matchesRequest, type RoutingNode } from '../routing/routing-model.ts';
import { selectorsByPath } from '../routing/selectors-by-path.ts';

/**
 * What becomes of the requests to a new edge that anybody may send in the end, or that reach nothing then: what
 * reachabilityTraces finds of them, without trying every class of requests after every step. Undefined where hosts,
 * equal matches or wildcards tell other classes apart than one for each route.
 */
export function newEdgeTraces(added: NewEdge): ReachabilityTrace<Movement>[] | undefined {
  const { edge, steps } = added;
  const [first] = steps;
  const places = [...new Set(hostportsOf(edge))];
  const routes = routesOf(added);
  if (first?.effect.instance !== added.instance || routes === undefined || overlap(places)) return undefined;
  const byPath = selectorsByPath(routes);
  return places.flatMap((place) =>
    routes
      .filter(({ access }) => access.reach === 'nothing' || isPublicAccess(access, 'OPTIONS'))
      .sort((a, b) => widthOf(a.path) - widthOf(b.path))
      .map(({ path }) => {
        const requestClass = { place, answering: [place], host: place.slice(0, place.lastIndexOf(':')), path };
        const catching = byPath(path)
          .filter(({ selector }) => matchesRequest(selector, requestClass))
          .sort((a, b) => a.turn - b.turn);
        const moments = momentsOf(first, catching);
        return {
          tracked: {
            requestClass,
            instances: new Set([...catching.map(({ instance }) => instance), added.instance]),
            nodes: [first, ...catching.map(({ step }) => step)],
          },
          first: unserved,
          last: moments.at(-1) ?? unserved,
          moments,
        };
      }),
  );
}

/** A route of a new edge, and the widest requests that it takes. */
interface NewRoute {
  readonly step: Movement;
  /** Its place among the steps. */
  readonly turn: number;
  readonly instance: InstanceKey;
  readonly selector: Selector;
  readonly path: string;
  readonly access: Access;
}

const unserved: ReachabilityStep<Movement> = { reach: 'nothing' };

/** The routes in the order of their steps; undefined where one selects by host, or two select the same. */
function routesOf({ edge, routes, steps }: NewEdge): NewRoute[] | undefined {
  const found: NewRoute[] = [];
  const paths = new Set<string>();
  for (const [turn, step] of steps.entries()) {
    const { instance } = step.effect;
    const node: RoutingNode | undefined = routes.get(instance);
    if (node === undefined) continue;
    const selector = routeSelector(node);
    if (selector === undefined || selector.host !== undefined) return undefined;
    const path = selector.exact ? selector.path : `${selector.path}\0`;
    paths.add(path);
    found.push({
      step,
      turn,
      instance,
      selector,
      path,
      access: { reach: moduleEffects(node).reach, catcher: instance, route: node, edge },
    });
  }
  return paths.size === found.length ? found : undefined;
}

/** Whether requests to one of these places may be answered at another. */
function overlap(places: readonly string[]): boolean {
  return (
    places.length > 1 &&
    places.some((place) => answeringFor(place).some((one) => one !== place && places.includes(one)))
  );
}

/** What becomes of requests with each step: the most specific route that is there takes them. */
function momentsOf(first: Movement, catching: readonly NewRoute[]): ReachabilityStep<Movement>[] {
  const moments: ReachabilityStep<Movement>[] = [unserved, { ...unserved, step: first }];
  let best: NewRoute | undefined;
  for (const route of catching) {
    if (best === undefined || isMoreSpecific(route.selector, best.selector)) best = route;
    moments.push({ ...best.access, step: route.step });
  }
  return moments;
}
