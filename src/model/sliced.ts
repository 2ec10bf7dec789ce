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
