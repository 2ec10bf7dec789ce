import { inNaturalOrder } from '../../model/natural-order.ts';
import { audiences, type Audience, type ExposedUrls, type ExposureMap } from '../../model/exposure/exposed-urls.ts';
import { atOnce, type Sliced } from '../../model/sliced.ts';
import { accessOf, isPublicAccess, isReachable, type Access } from '../exposure/access.ts';
import { classUrl, distinctUrls } from '../exposure/class-url.ts';
import { audienceOf, whoReaches } from '../exposure/reachability-of.ts';
import { reachabilityTraces } from '../exposure/reachability.ts';
import { routeGroupsOf } from '../routing/request-classes.ts';
import { routeSelector } from '../routing/route-selector.ts';
import type { RequestClass, RoutingModel } from '../routing/routing-model.ts';
import { instanceName, type InstanceKey } from '../order/plan-node.ts';
import type { PlannedRouting } from './planned-routing.ts';

/** Lists what can be reached for every class of requests: now, or after a plan and beside what it is now. */
export function exposureMap(of: PlannedRouting, when: 'now' | 'planned'): ExposureMap {
  return atOnce(exposureMapInSteps(of, when));
}

/** The same, in steps. */
export function* exposureMapInSteps(of: PlannedRouting, when: 'now' | 'planned'): Sliced<ExposureMap> {
  const { now, planned, steps, named } = of;
  const [moving, routing] = when === 'now' ? [[], now] : [steps, planned];
  const rows = new Map<string, Omit<ExposedUrls, 'urls'> & { readonly urls: string[] }>();
  const variants = new Map<string, ExposureMap['variants'][number]>();
  const add = (url: string, access: Access, audience: Audience, who: string, before = who): void => {
    const { matchedBy, route } = access;
    const key = `${audiences.indexOf(audience)} ${who}\n${before === who ? '' : before}\n${String(matchedBy)}`;
    const row = rows.get(key) ?? {
      audience,
      who,
      ...(before === who ? {} : { before }),
      urls: [],
      edge: route?.parent === undefined ? '' : instanceName(route.parent),
      route: matchedBy === undefined ? '' : instanceName(matchedBy),
    };
    row.urls.push(url);
    rows.set(key, row);
  };
  yield;
  for (const group of routeGroupsOf(now, moving, { also: new Set(now.keys()) }))
    for (const { tracked, first, last } of reachabilityTraces(group, group.nodes)) {
      yield;
      const { requestClass, instances } = tracked;
      const access = isReachable(last) ? last : first;
      if (requestClass.unclearHosts !== undefined || !isReachable(access) || access.matchedBy === undefined) continue;
      const [url, audience] = [classUrl(requestClass), audienceOf(last)];
      add(url, access, audience, whoReaches(last, named), whoReaches(first, named));
      const otherwise = otherReading(requestClass, last, routing, instances);
      if (otherwise !== undefined) {
        const unless = `if the \`match\` of ${instanceName(access.matchedBy)} selects no requests`;
        add(url, otherwise, audienceOf(otherwise), `${whoReaches(otherwise, named)}, ${unless}`);
      }
      if (audience === 'restricted')
        for (const one of variantsOf(requestClass, routing, instances)) variants.set(`${one.path} ${one.variant}`, one);
    }
  const sorted = [...rows].sort(([a], [b]) => inNaturalOrder(a, b));
  return {
    rows: sorted.map(([, row]) => ({ ...row, urls: distinctUrls(row.urls) })),
    variants: [...variants.values()].sort((a, b) => inNaturalOrder(a.path + a.variant, b.path + b.variant)),
  };
}

/** What is reached if a match whose host is not documented selects no requests; undefined where that is clear, or nothing is. */
function otherReading(
  requestClass: RequestClass,
  { route }: Access,
  routing: RoutingModel,
  instances: ReadonlySet<InstanceKey>,
): Access | undefined {
  if (route === undefined || routeSelector(route)?.isHostUnclear !== true) return undefined;
  const otherwise = accessOf({ ...requestClass, unclearHosts: 'ignored' }, routing, instances);
  return isReachable(otherwise) ? otherwise : undefined;
}

/** Spellings that a backend may take for the same path: in capitals, with a doubled slash, with an encoded letter. */
function* variantsOf(
  requestClass: RequestClass,
  routing: RoutingModel,
  instances: ReadonlySet<InstanceKey>,
): Generator<ExposureMap['variants'][number]> {
  const path = requestClass.path.replace('\0', '');
  const letter = /[a-z]/.exec(path)?.[0];
  if (letter === undefined) return;
  const spellings = [
    path.toUpperCase(),
    `/${path}`,
    path.replace(letter, `%${letter.charCodeAt(0).toString(16).toUpperCase()}`),
  ];
  for (const variant of spellings) {
    const asked = accessOf({ ...requestClass, path: variant }, routing, instances);
    if (asked.matchedBy === undefined || !isPublicAccess(asked, 'any')) continue;
    const shown = classUrl(requestClass);
    yield { path: shown, variant: classUrl({ ...requestClass, path: variant }), route: instanceName(asked.matchedBy) };
    return;
  }
}
