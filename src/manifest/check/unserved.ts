/*
 * What no request can arrive at, as far as manifests show:
 *
 *   a resource that answers at hostports    and names none: `[]` means that this is intended
 *   a match with a host                     inside a resource whose hostports all have other hosts
 */
import type { Kind, KindSet } from '../../kinds/kind.ts';
import { parentIn } from '../../kinds/parent-in.ts';
import { Ref } from '../../kinds/value.ts';
import { listenPattern } from '../../model/exposure/listen-pattern.ts';
import type { Desired } from '../../model/resource.ts';
import { meansHost } from '../../model/wildcards.ts';
import type { ResourceWarning } from './problems.ts';

/** A warning for each resource that no request can arrive at. */
export function unserved(resources: readonly Desired[], kinds: KindSet): ResourceWarning[] {
  const byAddress = new Map(resources.map((desired) => [desired.address, desired]));
  const known = new Map<Desired, Served | undefined>();
  const found: (ResourceWarning | undefined)[] = [];
  for (const desired of resources) {
    const kind = kinds.named(desired.kind);
    if (kind?.traffic === undefined) continue;
    const by = parentIn(kind, desired.spec);
    const parent = by instanceof Ref ? byAddress.get(by.to) : undefined;
    found.push(withoutPlace(desired, kind));
    if (parent !== undefined) found.push(onOtherHost(desired, kind, servedBy(parent)));
  }
  return found.filter((warning) => warning !== undefined);

  /** Each parent is asked once, however much is inside it. */
  function servedBy(parent: Desired): Served | undefined {
    if (!known.has(parent)) known.set(parent, hostsServed(parent, kinds));
    return known.get(parent);
  }
}

/** The hosts that a parent answers at, and the field that has them. */
interface Served {
  readonly parent: Desired;
  readonly field: string;
  readonly hosts: ReadonlySet<string>;
}

/** The hosts that a resource answers at; undefined where it has none, or they are not known. */
export function hostsServed(parent: Desired, kinds: KindSet): Served | undefined {
  const field = kinds.named(parent.kind)?.traffic?.listens ?? '';
  const places = parent.spec[field];
  if (!Array.isArray(places) || places.length === 0) return undefined;
  if (!places.every((place) => listenPattern.test(String(place)))) return undefined;
  return { parent, field, hosts: new Set(places.map((place) => String(place).toLowerCase().replace(/:\d+$/, ''))) };
}

function withoutPlace(desired: Desired, { traffic }: Kind): ResourceWarning | undefined {
  const field = traffic?.listens;
  if (field === undefined || desired.spec[field] !== undefined) return undefined;
  // Left as the service has it.
  if (desired.lifecycle.ignore?.includes(`/${field}`) === true) return undefined;
  const make: ResourceWarning['make'] = () => ({
    code: 'UNREACHABLE',
    message: `\`${field}\` is not set, so no request can reach the resource`,
    hint: `set \`${field}\`; for an intentionally empty list, write \`${field}: []\``,
    place: desired.places.of([]),
  });
  return { about: desired, make };
}

function onOtherHost(desired: Desired, kind: Kind, served: Served | undefined): ResourceWarning | undefined {
  const host = kind.traffic?.selects?.(desired.spec).host;
  if (host === undefined || served === undefined) return undefined;
  // A host of one label is reported as a path without its slash.
  if (host.includes(':') || !host.includes('.')) return undefined;
  const { parent, hosts } = served;
  if (hosts.has(host) || [...hosts].some((one) => meansHost(one, host) || meansHost(host, one))) return undefined;
  const field = kind.within?.key ?? '';
  const make: ResourceWarning['make'] = () => ({
    code: 'UNREACHABLE',
    message: `no request can reach the resource: \`${field}\` selects a host that \`${served.field}\` of ${parent.address} does not contain`,
    hint: `a \`${field}\` that does not begin with \`/\` selects a host; the parent serves the hosts ${[...hosts].slice(0, 5).join(', ')}`,
    place: desired.places.of([field]),
    related: [{ message: `${parent.address} is defined here`, place: parent.places.of([served.field]) }],
  });
  return { about: desired, make };
}
