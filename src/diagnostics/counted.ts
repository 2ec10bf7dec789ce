/** `1 resource`, `2 resources`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `1 resource is`, `2 resources are`. */
export function countedAre(count: number, one: string): string {
  return `${counted(count, one)} ${count === 1 ? 'is' : 'are'}`;
}

/** How many items have each of some keys, in the order of these; a key without items is left out. */
export function countEach<K, T>(keys: readonly K[], items: readonly T[], keyOf: (item: T) => K): [K, number][] {
  const counts = new Map<K, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return keys.flatMap((key): [K, number][] => {
    const count = counts.get(key);
    return count === undefined ? [] : [[key, count]];
  });
}
