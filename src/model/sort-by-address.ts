import { splitAddress, type Address } from './address.ts';
import { groupBy } from './group-by.ts';
import { inNaturalOrder } from './natural-order.ts';
import { sortSliced, type Sliced } from './sliced.ts';

/** Sorts items by their addresses, a limited number per step: kind by kind, because those of one kind are mostly in order already. */
export function* sortByAddress<T extends { readonly address: Address }>(items: readonly T[]): Sliced<T[]> {
  const byKind = groupBy(items, ({ address }) => splitAddress(address).kind);
  yield;
  const groups = [...byKind].sort(([a], [b]) => inNaturalOrder(`${a}/`, `${b}/`));
  const sorted: T[][] = [];
  for (const [kind, own] of groups)
    sorted.push(yield* sortSliced(own, (a, b) => inNaturalOrder(a.address, b.address, kind.length)));
  return sorted.flat();
}
