/** Disjoint sets of things, in which each is alone until it is joined with another. */
export function disjointSets<K extends string | object>() {
  const up = new Map<K, K>();
  // What stands for the set of a thing: the same for all that are in it.
  const rootOf = (one: K): K => {
    let root = one;
    for (let next = up.get(root); next !== undefined; next = up.get(root)) root = next;
    if (root !== one) up.set(one, root);
    return root;
  };
  const join = (one: K, other: K): void => {
    const [a, b] = [rootOf(one), rootOf(other)];
    if (a !== b) up.set(a, b);
  };
  return { join, rootOf };
}
