/** A function whose result for each key is found once and kept: in a WeakMap, for as long as others keep the key. */
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
