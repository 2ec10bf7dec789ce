/** A computation in short steps, between which other work may take its turn. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** Lets other work take its turn, if it is due. */
export type Pause = () => Promise<void> | undefined;

/** The result of a computation, without a turn for anything else. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The result of a computation, with a pause between its steps; at once where there is none. */
export async function inSlices<T>(work: Sliced<T>, pause: Pause = () => undefined): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    const turn = pause();
    if (turn !== undefined) await turn;
  }
}

/** A result for each item, one item a step. */
export function* mapSliced<T, R>(items: Iterable<T>, result: (item: T) => R): Sliced<R[]> {
  const results: R[] = [];
  for (const item of items) {
    yield;
    results.push(result(item));
  }
  return results;
}

/** Whether something is true of an item, one item a step. */
export function* someSliced<T>(items: Iterable<T>, isTrue: (item: T) => boolean): Sliced<boolean> {
  for (const item of items) {
    yield;
    if (isTrue(item)) return true;
  }
  return false;
}

// So many items are put in order, or merged, in one step.
const sortedAtOnce = 250;

/** Sorts items by `compare`, a limited number per step; equal items keep their order. */
export function* sortSliced<T>(items: readonly T[], compare: (a: T, b: T) => number): Sliced<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += sortedAtOnce) {
    yield;
    runs.push(items.slice(at, at + sortedAtOnce).sort(compare));
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(first: T[], second: T[], compare: (a: T, b: T) => number): Sliced<T[]> {
  // Most lists are in order already.
  if (second.length === 0 || compare(first.at(-1) as T, second[0] as T) <= 0) return first.concat(second);
  const merged: T[] = [];
  let one = 0;
  let other = 0;
  while (one < first.length && other < second.length) {
    if (merged.length % sortedAtOnce === 0) yield;
    const isFirst = compare(first[one] as T, second[other] as T) <= 0;
    merged.push((isFirst ? first[one++] : second[other++]) as T);
  }
  return [...merged, ...first.slice(one), ...second.slice(other)];
}
