import type { Address } from '../../model/address.ts';
import { compareText } from '../../model/compare-text.ts';
import { accessOf, askedInWords, isPublicAccess, isReachable, type Access } from '../exposure/access.ts';
import { classUrl, distinctUrls } from '../exposure/class-url.ts';
import type { IdNaming } from '../exposure/id-naming.ts';
import { reachabilityTraces } from '../exposure/reachability.ts';
import { routeGroupsOf } from '../exposure/request-classes.ts';
import type { RequestClass, RoutingModel } from '../exposure/routing-model.ts';
import { instanceName, type InstanceKey } from '../order/plan-node.ts';

/** URLs that the same people reach by the same route. */
export interface ExposedUrls {
  readonly isPublic: boolean;
  /** Who can reach them, in words. */
  readonly who: string;
  /** `…` at the end stands for all paths that begin so. */
  readonly urls: readonly string[];
  readonly edge: Address;
  readonly route: Address;
}

/** What can be reached, by whom. */
export interface ExposureMap {
  /** What is public first. */
  readonly rows: readonly ExposedUrls[];
  /** Other spellings of protected paths that reach a public route, because routes compare paths byte by byte. */
  readonly variants: readonly { readonly path: string; readonly variant: string; readonly route: Address }[];
}

/** Lists what can be reached, for every class of requests; ids are replaced by the names of their resources. */
export function exposureMap(routing: RoutingModel, named: IdNaming): ExposureMap {
  const rows = new Map<string, Omit<ExposedUrls, 'urls'> & { readonly urls: string[] }>();
  const variants = new Map<string, ExposureMap['variants'][number]>();
  for (const group of routeGroupsOf(routing, [], { also: new Set(routing.keys()) }))
    for (const { tracked, last } of reachabilityTraces(group, [])) {
      const { requestClass, instances } = tracked;
      const edge = last.route?.parent;
      if (requestClass.unclearHosts !== undefined || !isReachable(last) || last.catcher === undefined) continue;
      const isPublic = isPublicAccess(last, 'any');
      const who = isPublic ? publicWords(last) : named(askedInWords(last));
      const route = instanceName(last.catcher);
      const key = `${isPublic ? 0 : 1} ${who}\n${route}`;
      const row = rows.get(key) ?? {
        isPublic,
        who,
        urls: [],
        edge: edge === undefined ? '' : instanceName(edge),
        route,
      };
      row.urls.push(classUrl(requestClass));
      rows.set(key, row);
      if (!isPublic)
        for (const one of variantsOf(requestClass, routing, instances)) variants.set(`${one.path} ${one.variant}`, one);
    }
  const sorted = [...rows].sort(([a], [b]) => compareText(a, b));
  return {
    rows: sorted.map(([, row]) => ({ ...row, urls: distinctUrls(row.urls) })),
    variants: [...variants.values()].sort((a, b) => compareText(a.path + a.variant, b.path + b.variant)),
  };
}

function publicWords({ edge }: Access): string {
  return edge?.passesThrough === true ? 'anyone (TLS is terminated upstream)' : 'anyone';
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
    if (asked.catcher === undefined || !isPublicAccess(asked, 'any')) continue;
    const shown = classUrl(requestClass);
    yield { path: shown, variant: classUrl({ ...requestClass, path: variant }), route: instanceName(asked.catcher) };
    return;
  }
}
