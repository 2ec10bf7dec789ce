/** How many of several things are named before the rest is counted. */
const NAMED = 3;

/** Several things in words, the first of them by name: `a, b and 4 more`. */
export function listSome(things: readonly string[]): string {
  const rest = things.length - NAMED;
  if (rest > 0) return `${things.slice(0, NAMED).join(', ')} and ${String(rest)} more`;
  const last = things.at(-1) ?? '';
  return things.length < 2 ? last : `${things.slice(0, -1).join(', ')} and ${last}`;
}
