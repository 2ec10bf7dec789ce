/** Items by a key of each, in their order. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const found = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const own = found.get(key);
    if (own === undefined) found.set(key, [item]);
    else own.push(item);
  }
  return found;
}
