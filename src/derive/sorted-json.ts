/** JSON text with the keys of every object in order. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item) ? objectInOrder(Object.entries(item)) : item,
  );
}

/** An object of these entries, with its keys in order. */
export function objectInOrder<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
