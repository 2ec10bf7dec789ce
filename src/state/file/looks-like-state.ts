// How a state begins, and what it has near its beginning even where its first bytes are damaged.
const beginning = /^\s*($|\{\s*($|"format":))|"lineage":/;

/** Whether a text was a state once, be it damaged. Nothing else is moved out of the way. */
export function looksLikeState(text: string): boolean {
  return beginning.test(text);
}
