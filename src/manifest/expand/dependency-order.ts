import { addToGroup } from '../../model/group-by.ts';

/** What depends on what, in order: each after all that it depends on. What is in a cycle has no place in the order. */
export function dependencyOrder(dependencies: ReadonlyMap<string, readonly string[]>): {
  readonly order: readonly string[];
  /** Each as the way from one to the next, and from the last to the first. */
  readonly cycles: readonly (readonly string[])[];
} {
  const waiting = new Map(
    [...dependencies].map(([one, on]) => [one, new Set(on.filter((other) => dependencies.has(other)))]),
  );
  const dependents = new Map<string, string[]>();
  for (const [one, on] of waiting) for (const other of on) addToGroup(dependents, other, one);
  const order: string[] = [];
  const cycles: (readonly string[])[] = [];
  const cycleIn = cycleFinder(waiting);
  const ready = [...waiting].flatMap(([one, on]) => (on.size === 0 ? [one] : []));
  for (;;) {
    for (let one = ready.pop(); one !== undefined; one = ready.pop()) {
      waiting.delete(one);
      order.push(one);
      release(one);
    }
    const cycle = cycleIn();
    if (cycle === undefined) return { order, cycles };
    cycles.push(cycle);
    for (const one of cycle) waiting.delete(one);
    for (const one of cycle) release(one);
  }

  function release(one: string): void {
    for (const dependent of dependents.get(one) ?? []) {
      const left = waiting.get(dependent);
      if (left?.delete(one) === true && left.size === 0) ready.push(dependent);
    }
  }
}

/** Everything that is left waits for something that is left, so that following it leads into a cycle. What led there leads on from there the next time. */
function cycleFinder(waiting: ReadonlyMap<string, ReadonlySet<string>>): () => readonly string[] | undefined {
  const way: string[] = [];
  const seen = new Map<string, number>();
  return () => {
    for (let last = way.at(-1); last !== undefined && !waiting.has(last); last = way.at(-1)) leave(way.length - 1);
    for (;;) {
      const [next] = waiting.get(way.at(-1) ?? '') ?? waiting.keys();
      if (next === undefined) return undefined;
      const from = seen.get(next);
      if (from !== undefined) return leave(from);
      seen.set(next, way.length);
      way.push(next);
    }
  };

  function leave(from: number): readonly string[] {
    const left = way.splice(from);
    for (const one of left) seen.delete(one);
    return left;
  }
}
