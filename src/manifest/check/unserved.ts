/*
 * What no request can arrive at, as far as manifests show:
 *
 *   a resource that answers at hostports    and names none: `[]` means that this is intended
 *   a match with a host                     inside a resource whose hostports all have other hosts
 */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { KindSet } from '../../kinds/kind-set.ts';
import { Ref } from '../../kinds/value.ts';
import { listenPattern } from '../../model/exposure/listen-pattern.ts';
import type { Desired } from '../../model/resource.ts';
import { meansHost } from '../../model/wildcards.ts';

/** A warning for each resource that no request can arrive at. */
export function unserved(resources: readonly Desired[], kinds: KindSet): Diagnostic[] {
  const byAddress = new Map(resources.map((desired) => [desired.address, desired]));
  return resources.flatMap((desired) => {
    const kind = kinds.named(desired.kind);
    if (kind === undefined) return [];
    const parent = kind.within === undefined ? undefined : desired.spec[kind.within.by];
    return [
      ...withoutPlace(desired, kind),
      ...onOtherHost(desired, kind, parent instanceof Ref ? byAddress.get(parent.to) : undefined, kinds),
    ];
  });
}

function withoutPlace(desired: Desired, { traffic }: Kind): Diagnostic[] {
  const field = traffic?.listens;
  if (field === undefined || desired.spec[field] !== undefined) return [];
  // Left as the service has it.
  if (desired.lifecycle.ignore?.includes(`/${field}`) === true) return [];
  return [
    {
      code: 'UNREACHABLE',
      severity: 'warning',
      message: `\`${field}\` is not set, so no request can reach the resource`,
      hint: `set \`${field}\`; for an intentionally empty list, write \`${field}: []\``,
      address: desired.address,
      place: desired.places.of([]),
    },
  ];
}

function onOtherHost(desired: Desired, kind: Kind, parent: Desired | undefined, kinds: KindSet): Diagnostic[] {
  const host = kind.traffic?.selects?.(desired.spec).host;
  const listens = parent === undefined ? undefined : kinds.named(parent.kind)?.traffic?.listens;
  const places = listens === undefined ? undefined : parent?.spec[listens];
  if (host === undefined || listens === undefined || parent === undefined || !Array.isArray(places)) return [];
  // A host of one label is reported as a path without its slash.
  if (host.includes(':') || !host.includes('.')) return [];
  if (places.length === 0 || !places.every((place) => listenPattern.test(String(place)))) return [];
  const hosts = places.map((place) => String(place).toLowerCase().replace(/:\d+$/, ''));
  if (hosts.some((served) => meansHost(served, host) || meansHost(host, served))) return [];
  const field = kind.within?.key ?? '';
  return [
    {
      code: 'UNREACHABLE',
      severity: 'warning',
      message: `no request can reach the resource: \`${field}\` selects a host that \`${listens}\` of ${parent.address} does not contain`,
      hint: `a \`${field}\` that does not begin with \`/\` selects a host; the parent serves the hosts ${[...new Set(hosts)].slice(0, 5).join(', ')}`,
      address: desired.address,
      place: desired.places.of([field]),
      related: [{ message: `${parent.address} is defined here`, place: parent.places.of([listens]) }],
    },
  ];
}
