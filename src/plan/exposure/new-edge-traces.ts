import { answeringFor } from '../../model/wildcards.ts';
import type { Movement } from '../order/plan-node.ts';
import { selectorsByPath } from '../routing/route-selector.ts';
import type { NewEdge, NewRoute } from './new-edge.ts';
import type { ReachabilityStep, ReachabilityTrace } from './reachability.ts';
import { pathOfSelector, widthOf } from '../routing/request-classes.ts';
import { classAt, hostportsOf, isMoreSpecific, matchesRequest } from '../routing/routing-model.ts';

/**
 * The traces of the requests to a new edge that are public or unreachable at the end. Same result as reachabilityTraces,
 * without evaluating every class after every step. Undefined if equal matches or wildcard hostports make other classes
 * than one for each route.
 */
export function newEdgeTraces({ instance, edge, routes, steps }: NewEdge): ReachabilityTrace[] | undefined {
  const [first] = steps;
  const places = [...new Set(hostportsOf(edge))];
  const matches = new Set(routes.map(({ selector }) => pathOfSelector(selector)));
  if (first?.effect.instance !== instance || overlap(places) || matches.size < routes.length) return undefined;
  const byPath = selectorsByPath(routes);
  const paths = routes
    .filter(({ isProtected }) => !isProtected)
    .map(({ selector }) => pathOfSelector(selector))
    .sort((a, b) => widthOf(a) - widthOf(b));
  return places.flatMap((place) =>
    paths.map((path) => {
      const requestClass = classAt(place, path);
      const matching = byPath(path)
        .filter(({ selector }) => matchesRequest(selector, requestClass))
        .sort((a, b) => a.turn - b.turn);
      const moments = momentsOf(first, matching);
      const nodes = [first, ...matching.map(({ step }) => step)];
      const instances = new Set([...matching.map(({ step }) => step.effect.instance), instance]);
      const tracked = { requestClass, instances, nodes };
      return { tracked, first: unserved, last: moments.at(-1) ?? unserved, moments };
    }),
  );
}

const unserved: ReachabilityStep = { reach: 'nothing' };

/** Whether one of these hostports is a wildcard that covers another. */
function overlap(places: readonly string[]): boolean {
  return (
    places.length > 1 &&
    places.some((place) =>
      answeringFor(place)
        .slice(1)
        .some((one) => places.includes(one)),
    )
  );
}

/** The access of requests after each step: the most specific route that exists matches them. */
function momentsOf(first: Movement, matching: readonly NewRoute[]): ReachabilityStep[] {
  const moments: ReachabilityStep[] = [unserved, { ...unserved, step: first }];
  let best: NewRoute | undefined;
  for (const route of matching) {
    if (best === undefined || isMoreSpecific(route.selector, best.selector)) best = route;
    moments.push({ ...best.access, step: route.step });
  }
  return moments;
}
