import type { Address } from './address.ts';
import { gathered } from './gathered.ts';

/** What belongs to each address, in its order. */
export function byAddress<T extends { readonly address: Address }>(items: readonly T[]): Map<Address, T[]> {
  return gathered(items, ({ address }) => address);
}
