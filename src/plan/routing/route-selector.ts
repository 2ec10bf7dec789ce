import type { Selector } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import { groupBy } from '../../model/group-by.ts';
import { meansHost } from '../../model/wildcards.ts';
import type { Arrival, RoutingNode } from './routing-model.ts';

// The same route is evaluated for every request class and after every step.
const known = new WeakMap<SpecObject, Selector>();

/** Which requests to its edge a node matches; undefined if the node is not a route. */
export function routeSelector({ kind, spec }: Pick<RoutingNode, 'kind' | 'spec'>): Selector | undefined {
  const selects = kind.traffic?.selects;
  if (selects === undefined) return undefined;
  const found = known.get(spec) ?? selects(spec);
  known.set(spec, found);
  return found;
}

/** Finds the few selectors whose path equals a given path or is a prefix of it. */
export function selectorsByPath<S extends { readonly selector: Selector }>(
  selectors: readonly S[],
): (path: string) => readonly S[] {
  const known = groupBy(selectors, ({ selector }) => selector.path);
  const lengths = [...new Set(selectors.map(({ selector }) => selector.path.length))];
  return (path) => lengths.flatMap((length) => (length > path.length ? [] : (known.get(path.slice(0, length)) ?? [])));
}

/**
 * Whether the host of a match covers a request class. Where the API does not describe what the host means, there are two
 * readings: it covers what it seems to mean, or nothing. Each class is evaluated with both (decisions/0045).
 */
export function takesHost({ host, isHostUnclear }: Selector, asked: Arrival): boolean {
  if (host === undefined) return true;
  if (isHostUnclear !== true) return meansHost(host, asked.host);
  return asked.unclearHosts !== 'ignored' && seemsToMean(host, asked);
}

/** The host of a match without its port. */
export function hostWithoutPort(host: string): string {
  return host.replace(/:\d+$/, '');
}

function seemsToMean(host: string, { host: asked, place }: Arrival): boolean {
  const name = hostWithoutPort(host);
  if (name !== host && !place.endsWith(host.slice(name.length))) return false;
  const parts = name.split('*');
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return asked === name;
  if (asked.length < first.length + last.length || !asked.startsWith(first) || !asked.endsWith(last)) return false;
  let rest = asked.slice(first.length, asked.length - last.length);
  for (const part of parts.slice(1, -1)) {
    const at = rest.indexOf(part);
    if (at === -1) return false;
    rest = rest.slice(at + part.length);
  }
  return true;
}
