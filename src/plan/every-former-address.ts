import type { KindSet } from '../kinds/kind.ts';
import { parentIn } from '../kinds/parent-in.ts';
import { Ref } from '../kinds/value.ts';
import { addressInside, type Address } from '../model/address.ts';
import { formerAddresses, type Desired } from '../model/resource.ts';

/** Tells the addresses that a resource had before, as manifests have it; what is nested had them inside the former parent, too. */
export function formerAddressFinder(
  resources: readonly Desired[],
  kinds: KindSet,
): (address: Address) => readonly Address[] {
  const known = new Map(resources.map((one) => [one.address, one]));
  return find;

  function find(address: Address): readonly Address[] {
    const one = known.get(address);
    if (one === undefined) return [];
    const parent = parentIn(kinds.named(one.kind), one.spec);
    const own = formerAddresses(one.lifecycle);
    if (!(parent instanceof Ref)) return own;
    return [...own, ...find(parent.to).map((former) => addressInside(address, parent.to, former))];
  }
}

/** All addresses that these resources had before. */
export function everyFormerAddress(resources: readonly Desired[], kinds: KindSet): readonly Address[] {
  if (resources.every(({ lifecycle }) => lifecycle.moved_from === undefined)) return [];
  const find = formerAddressFinder(resources, kinds);
  return resources.flatMap(({ address }) => find(address));
}
