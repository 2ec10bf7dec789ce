import type { Address } from '../model/address.ts';

/** What belongs to each address, in its order. */
export function byAddress<T extends { readonly address: Address }>(
  items: readonly T[],
): (address: Address) => readonly T[] {
  const found = new Map<Address, T[]>();
  for (const item of items) {
    const own = found.get(item.address);
    if (own === undefined) found.set(item.address, [item]);
    else own.push(item);
  }
  return (address) => found.get(address) ?? [];
}
