/** Caches the results of a function by key; with a WeakMap, a result is kept as long as its key. */
export function oncePer<K, V>(
  known: { readonly get: (key: K) => V | undefined; readonly set: (key: K, value: V) => unknown },
  find: (key: K) => V,
): (key: K) => V {
  return (key) => {
    const found = known.get(key) ?? find(key);
    known.set(key, found);
    return found;
  };
}
