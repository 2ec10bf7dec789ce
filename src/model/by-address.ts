import type { Address } from './address.ts';
import { groupBy } from './group-by.ts';

/** What belongs to each address, in its order. */
export function byAddress<T extends { readonly address: Address }>(items: readonly T[]): Map<Address, T[]> {
  return groupBy(items, ({ address }) => address);
}
