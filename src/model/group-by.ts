import type { Address } from './address.ts';

/** Items by a key of each, in their order. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const found = new Map<K, T[]>();
  for (const item of items) addToGroup(found, keyOf(item), item);
  return found;
}

/** Adds an item to those with its key, after them. */
export function addToGroup<K, T>(groups: Map<K, T[]>, key: K, item: T): void {
  const own = groups.get(key);
  if (own === undefined) groups.set(key, [item]);
  else own.push(item);
}

/** What belongs to each address, in its order. */
export function byAddress<T extends { readonly address: Address }>(items: readonly T[]): Map<Address, T[]> {
  return groupBy(items, ({ address }) => address);
}
