const most = 200;

/** Whether JSON or YAML text is nested deeper than anyone writes: readers of it are recursive, and would end the process. */
export function isTooDeep(text: string): boolean {
  // Too short for so many brackets.
  if (text.length <= most) return false;
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > most) return true;
  }
  return /(?:[-?:][ \t]+){200}/.test(text);
}
