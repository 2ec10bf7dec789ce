/*
 * Which URLs a plan makes reachable, unreachable, reachable by others or by another route, or leads to another backend. URLs
 * that stay as they are have no entry, so that the size depends on what a plan changes and not on the account (decisions/0049).
 */
import { inNaturalOrder } from '../../model/natural-order.ts';
import type { ExposureChange, Reachability } from '../../model/exposure/exposure-change.ts';
import { isReachable, type Access } from './access.ts';
import { classUrl, distinctUrls } from './class-url.ts';
import type { IdNaming } from './id-naming.ts';
import type { NewEdge } from './new-edge.ts';
import { nobody, reachabilityOf } from './reachability-of.ts';
import { pathOfSelector } from '../routing/request-classes.ts';
import { classAt, hostportsOf, type RequestClass } from '../routing/routing-model.ts';

/** A request class, and its access before and after the plan. */
export interface ChangedClass {
  readonly requestClass: RequestClass;
  readonly before: Access;
  readonly after: Access;
}

/** The changes of request classes, grouped by change, and the URLs that new edges make reachable. */
export function exposureChangesOf(
  classes: readonly ChangedClass[],
  newEdges: readonly NewEdge[],
  named: IdNaming,
): readonly ExposureChange[] {
  // The URLs of a new edge need no grouping: each of its routes is another change.
  return [...ofClasses(classes, named), ...newEdges.flatMap((edge) => ofNewEdge(edge, named))].sort((a, b) =>
    inNaturalOrder(a.urls.join(), b.urls.join()),
  );
}

function ofClasses(classes: readonly ChangedClass[], named: IdNaming): ExposureChange[] {
  const found = new Map<string, ExposureChange & { readonly urls: string[] }>();
  for (const { requestClass, before: now, after: then } of classes) {
    if (requestClass.unclearHosts !== undefined) continue;
    if (now.reach === then.reach && now.route === then.route && now.edge === then.edge) continue;
    const [before, after] = [reachabilityOf(now, named), reachabilityOf(then, named)];
    const [was, becomes] = [keyOf(before), keyOf(after)];
    if (was === becomes) continue;
    const key = `${was}\n${becomes}`;
    const known = found.get(key) ?? { urls: [], before, after };
    known.urls.push(classUrl(requestClass));
    found.set(key, known);
  }
  return [...found.values()].map((change) => ({ ...change, urls: distinctUrls(change.urls) }));
}

function ofNewEdge({ edge, routes }: NewEdge, named: IdNaming): ExposureChange[] {
  const places = hostportsOf(edge);
  if (places.length === 0) return [];
  return routes.flatMap(({ selector, access }) => {
    if (!isReachable(access)) return [];
    const urls = places.map((place) => classUrl(classAt(place, pathOfSelector(selector))));
    return [{ urls: distinctUrls(urls), before: nobody, after: reachabilityOf(access, named) }];
  });
}

function keyOf({ audience, who, requires, route = '', backend = '' }: Reachability): string {
  return `${audience} ${route} ${backend} ${requires.join()} ${who}`;
}
