/** Caches the results of a function by key; with a WeakMap, a result is kept as long as its key. */
export function oncePer<K, V>(
  known: { readonly get: (key: K) => V | undefined; readonly set: (key: K, value: V) => unknown },
  find: (key: K) => V,
): (key: K) => V {
  const newResult = (key: K): V => {
    const found = find(key);
    known.set(key, found);
    return found;
  };
  return (key) => known.get(key) ?? newResult(key);
}
