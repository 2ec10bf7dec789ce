/*
 * Which URLs a plan makes reachable, unreachable, reachable by others or by another route: what stays as it is has no entry, so that the
 * size follows from what a plan changes and not from the account (decisions/0049).
 */
import { inNaturalOrder } from '../../model/natural-order.ts';
import type { ExposureChange, Reachability } from '../../model/exposure/exposure-change.ts';
import type { InstanceKey, Movement } from '../order/plan-node.ts';
import { accessOf, isReachable, type Access } from './access.ts';
import { classUrl, distinctUrls } from './class-url.ts';
import type { IdNaming } from './id-naming.ts';
import { moduleEffects } from '../routing/module-effects.ts';
import type { NewEdge } from './new-edge.ts';
import { reachabilityOf } from './reachability-of.ts';
import type { RouteGroup } from '../routing/request-classes.ts';
import { applyStep, hostportsOf, type RequestClass, type RoutingNode } from '../routing/routing-model.ts';
import { routeSelector } from '../routing/route-selector.ts';

const nothing: Access = { reach: 'nothing' };

/** Collects the changes, those that are alike together. */
export class ExposureChanges {
  readonly #found = new Map<string, ExposureChange & { readonly urls: string[] }>();
  // No two routes of new edges are alike.
  readonly #new: ExposureChange[] = [];
  readonly #named: IdNaming;

  constructor(named: IdNaming) {
    this.#named = named;
  }

  /** Adds what becomes of a class of requests, if it changes. */
  add(requestClass: RequestClass, before: Access, after: Access): void {
    if (requestClass.unclearHosts !== undefined) return;
    if (before.reach === after.reach && before.route === after.route && before.edge === after.edge) return;
    const change = { before: reachabilityOf(before, this.#named), after: reachabilityOf(after, this.#named) };
    const [was, becomes] = [keyOf(change.before), keyOf(change.after)];
    if (was === becomes) return;
    const key = `${was}\n${becomes}`;
    const known = this.#found.get(key) ?? { urls: [], ...change };
    known.urls.push(classUrl(requestClass));
    this.#found.set(key, known);
  }

  /** Adds an edge that a plan creates whole, by what becomes of its requests in the end. */
  addNew({ edge, routes, steps }: NewEdge, group: RouteGroup<Movement>): void {
    const known = [...routes].map(([instance, route]) => ({ instance, route, selector: routeSelector(route) }));
    if (known.some(({ selector }) => selector?.host !== undefined)) {
      const routing = new Map<InstanceKey, RoutingNode>(group.start);
      for (const { effect, kind } of steps) applyStep(routing, effect, kind);
      for (const { requestClass, instances } of group.tracked)
        this.add(requestClass, nothing, accessOf(requestClass, routing, instances));
      return;
    }
    const before = reachabilityOf(nothing, this.#named);
    const places = hostportsOf(edge).map((place) => ({ place, host: place.slice(0, place.lastIndexOf(':')) }));
    for (const { instance, route, selector } of known) {
      const access = { reach: moduleEffects(route).reach, catcher: instance, route, edge };
      if (selector === undefined || places.length === 0 || !isReachable(access)) continue;
      const path = selector.exact ? selector.path : `${selector.path}\0`;
      const urls = places.map((place) => classUrl({ ...place, path }));
      this.#new.push({ urls, before, after: reachabilityOf(access, this.#named) });
    }
  }

  all(): readonly ExposureChange[] {
    return [...this.#found.values(), ...this.#new]
      .map(({ urls, before, after }) => ({ urls: distinctUrls(urls), before, after }))
      .sort((a, b) => inNaturalOrder(a.urls.join(), b.urls.join()));
  }
}

function keyOf({ audience, who, requires, route = '' }: Reachability): string {
  return `${audience} ${route} ${requires.join()} ${who}`;
}
