import { answeringFor } from '../../model/wildcards.ts';
import { instanceName, type Movement } from '../order/plan-node.ts';
import { isPublicAccess, type Access, type Method } from './access.ts';
import type { AccessFinding } from './access-findings.ts';
import { classUrl } from './class-url.ts';
import type { NewEdge, NewRoute } from './new-edge.ts';
import { selectorsByPath } from '../routing/route-selector.ts';
import { pathOfSelector, widthOf } from '../routing/request-classes.ts';
import { classAt, hostportsOf, isMoreSpecific, matchesRequest } from '../routing/routing-model.ts';

/**
 * What a new edge makes public, and by which steps. Same result as following each request class through each step. Undefined
 * if equal matches or wildcard hostports make other classes than one for each route.
 */
export function newlyPublic({ instance, edge, routes, steps }: NewEdge): AccessFinding[] | undefined {
  const open = routes.filter(({ isProtected }) => !isProtected);
  if (open.length === 0) return [];
  const places = [...new Set(hostportsOf(edge))];
  const matches = new Set(routes.map(({ selector }) => pathOfSelector(selector)));
  if (steps[0]?.effect.instance !== instance || overlap(places) || matches.size < routes.length) return undefined;
  const ends = open
    .flatMap((route) => {
      const method = methods.find((one) => isPublicAccess(route.access, one));
      return method === undefined ? [] : [{ route, method, path: pathOfSelector(route.selector) }];
    })
    .sort((a, b) => widthOf(a.path) - widthOf(b.path));
  // The requests of a single public route are public from its own step on.
  const byPath = ends.length > 1 ? selectorsByPath(routes) : () => [];
  return places.flatMap((place) =>
    ends.map(({ route, method, path }): AccessFinding => {
      const requestClass = classAt(place, path);
      const matching = byPath(path).filter(({ selector }) => matchesRequest(selector, requestClass));
      const url = classUrl(requestClass);
      return {
        code: 'EXPOSES_PUBLICLY',
        address: instanceName(instance),
        cause: causeOf(route, method, matching),
        url: method === 'any' ? url : `${method} ${url}`,
        how: 'now',
        before: unserved,
        after: route.access,
      };
    }),
  );
}

const unserved: Access = { reach: 'nothing' };

// What anyone may send with any method is not reported again for OPTIONS.
const methods: readonly Method[] = ['any', 'OPTIONS'];

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

/** The last step after which the requests of a route are public as they are in the end, and before which they are not. */
function causeOf({ step, access }: NewRoute, method: Method, matching: readonly NewRoute[]): Movement {
  let cause = step;
  let best: NewRoute | undefined;
  let wasPublic = false;
  for (const one of matching.toSorted((a, b) => a.turn - b.turn)) {
    if (best === undefined || isMoreSpecific(one.selector, best.selector)) best = one;
    const isSame = best.access.reach === access.reach && isPublicAccess(best.access, method);
    if (isSame && !wasPublic) cause = one.step;
    wasPublic = isSame;
  }
  return cause;
}
