/*
 * Routes that receive no request, or none for a host of their edge, because others of the edge receive all of them. A host
 * goes before none, an exact path before a prefix, longer before shorter, so with manifests only this can happen:
 *
 *   hidden                               by
 *   ----------------------------------   ---------------------------------------------------------------------
 *   a match                              another that takes the same requests, spelled otherwise
 *   a match without a host               matches with a host, one for every host that the edge answers at
 */
import type { Kind, Selector, KindSet } from '../../kinds/kind.ts';
import { parentKeyIn } from '../../kinds/parent-in.ts';
import type { Desired } from '../../model/resource.ts';
import { addToGroup, groupBy } from '../../model/group-by.ts';
import type { ResourceWarning } from './problems.ts';
import { hostsServed } from './unserved.ts';

interface Selecting {
  readonly desired: Desired;
  readonly kind: Kind;
  readonly selector: Selector;
}

/** A warning for each resource that others of the same parent hide, with the places of both. */
export function shadowed(resources: readonly Desired[], kinds: KindSet): ResourceWarning[] {
  const selecting = resources.filter(({ kind }) => kinds.named(kind)?.traffic?.selects !== undefined);
  if (selecting.length === 0) return [];
  const parents = new Map(resources.map((desired) => [desired.address, desired]));
  const inside = new Map<string, Selecting[]>();
  // By address, so that the order of files changes nothing.
  for (const desired of selecting.sort((a, b) => (a.address < b.address ? -1 : 1))) {
    const kind = kinds.named(desired.kind);
    const selector = kind?.traffic?.selects?.(desired.spec);
    const parent = parentKeyIn(kind, desired.spec);
    if (kind === undefined || selector === undefined || parent === undefined) continue;
    addToGroup(inside, parent, { desired, kind, selector });
  }
  return [...inside].flatMap(([parent, own]) => {
    const hosts = hostsOf(parents.get(parent), kinds);
    const byHost = groupBy(own, ({ selector }) => selector.host ?? '');
    const first = new Map<string, Selecting>();
    return own.flatMap((one) => {
      const key = JSON.stringify(one.selector);
      const same = first.get(key);
      if (same === undefined) first.set(key, one);
      if (same !== undefined) return [{ about: one.desired, make: () => warning(one, [same], 'no requests', 'all') }];
      const hiding = hidingOf(one, byHost, hosts);
      if (hiding === undefined) return [];
      return [{ about: one.desired, make: () => warning(one, hiding, otherHosts, 'all other') }];
    });
  });
}

/** For every host of the parent one that takes all of its requests; undefined where some host has none. */
function hidingOf(
  { selector }: Selecting,
  byHost: ReadonlyMap<string, readonly Selecting[]>,
  hosts: readonly string[],
): Selecting[] | undefined {
  if (selector.host !== undefined || hosts.length === 0) return undefined;
  const hiding = new Set<Selecting>();
  for (const host of hosts) {
    const other = byHost.get(host)?.find((one) => covers(one.selector, selector));
    if (other === undefined) return undefined;
    hiding.add(other);
  }
  return [...hiding];
}

/** Whether the paths of one are all taken by another. */
function covers(other: Selector, { path, exact }: Selector): boolean {
  return other.exact ? exact && other.path === path : path.startsWith(other.path);
}

/** The hosts that requests of a parent are for; none where that is not known, or anybody's. */
function hostsOf(parent: Desired | undefined, kinds: KindSet): string[] {
  const hosts = [...((parent && hostsServed(parent, kinds)?.hosts) ?? [])];
  return hosts.some((host) => host.includes('*')) ? [] : hosts;
}

// A client may send any Host header, wherever it connects.
const otherHosts = 'only requests whose Host header names another host';

function warning(
  { desired, kind }: Selecting,
  hiding: readonly Selecting[],
  left: string,
  taken: string,
): ReturnType<ResourceWarning['make']> {
  const field = kind.within?.key ?? '';
  const names = hiding.map((other) => other.desired.address).join(' and ');
  return {
    code: 'SHADOWED',
    message: `the resource receives ${left}: ${names} ${hiding.length === 1 ? 'receives' : 'receive'} ${taken} requests that this \`${field}\` selects`,
    hint: 'add a host to the match of this resource, or remove one of the other resources',
    place: desired.places.of([field]),
    related: hiding.map((other) => ({
      message: `${other.desired.address} is defined here`,
      place: other.desired.places.of([field]),
    })),
  };
}
