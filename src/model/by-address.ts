import type { Address } from './address.ts';

/** What belongs to each address, in its order. */
export function byAddress<T extends { readonly address: Address }>(items: readonly T[]): Map<Address, T[]> {
  const of = new Map<Address, T[]>();
  for (const item of items) {
    const own = of.get(item.address);
    if (own === undefined) of.set(item.address, [item]);
    else own.push(item);
  }
  return of;
}
