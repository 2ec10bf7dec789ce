import type { KindSet } from '../kinds/kind-set.ts';
import { Ref } from '../kinds/value.ts';
import { addressInside, type Address } from '../model/address.ts';
import { formerAddresses, type Desired } from '../model/resource.ts';

/** The addresses that resources had before, as manifests have it; nested resources had theirs inside the former parent. */
export function everyFormerAddress(resources: readonly Desired[], kinds: KindSet): readonly Address[] {
  const formerOf = new Map(resources.map(({ address, lifecycle }) => [address, formerAddresses(lifecycle)]));
  return resources.flatMap(({ kind, address, spec, lifecycle }) => {
    const by = kinds.named(kind)?.within?.by;
    const parent = by === undefined ? undefined : spec[by];
    if (!(parent instanceof Ref)) return formerAddresses(lifecycle);
    const inside = (before: Address): Address => addressInside(address, parent.to, before);
    return [...formerAddresses(lifecycle), ...(formerOf.get(parent.to) ?? []).map(inside)];
  });
}
