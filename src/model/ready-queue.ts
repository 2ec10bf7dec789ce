import { addToGroup } from './group-by.ts';

/** A queue of items that wait for others: those that wait for nothing any more, in their listed order. */
export function readyQueue<T>(listed: readonly T[], earlierOf: (item: T) => Iterable<T>) {
  const places = new Map(listed.map((item, place) => [item, place]));
  const waiting = new Map<T, number>();
  const followers = new Map<T, T[]>();
  // The places of what is ready, the first at the end: taking one, and inserting one that starts soon, moves only a few.
  const ready: number[] = [];
  for (const [place, item] of listed.entries()) {
    const earlier = [...earlierOf(item)];
    waiting.set(item, earlier.length);
    if (earlier.length === 0) ready.push(place);
    for (const one of earlier) addToGroup(followers, one, item);
  }
  ready.reverse();
  const followersOf = (item: T): readonly T[] => followers.get(item) ?? [];
  /** The first items that are ready. */
  const first = (count: number): T[] =>
    ready
      .slice(Math.max(0, ready.length - count))
      .flatMap((place) => listed[place] ?? [])
      .reverse();
  const isEmpty = (): boolean => ready.length === 0;
  const take = (): T | undefined => listed[ready.pop() ?? -1];
  /** Called when an item is done: what has waited for it alone is ready now. */
  const done = (item: T): void => {
    for (const follower of followersOf(item)) {
      const left = (waiting.get(follower) ?? 0) - 1;
      waiting.set(follower, left);
      if (left === 0) insert(ready, places.get(follower) ?? 0);
    }
  };
  return { first, isEmpty, take, done, followersOf };
}

/** Sorts items so that each comes after those that it waits for, and otherwise keeps their order. What waits in a cycle is left out. */
export function inDependencyOrder<T>(listed: readonly T[], earlierOf: (item: T) => Iterable<T>): T[] {
  const { take, done } = readyQueue(listed, earlierOf);
  const order: T[] = [];
  for (let next = take(); next !== undefined; next = take()) {
    order.push(next);
    done(next);
  }
  return order;
}

/** Puts a number into a list in which each is smaller than the one before. */
function insert(descending: number[], one: number): void {
  let [low, high] = [0, descending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((descending[middle] ?? 0) > one) low = middle + 1;
    else high = middle;
  }
  descending.splice(low, 0, one);
}
