/** Whether a word means a name: where something has the word as its name, that alone; otherwise the word is a pattern. */
export function matcherOf(word: string, known: Pick<ReadonlySet<string>, 'has'>): (name: string) => boolean {
  return known.has(word) ? (name) => name === word : (name) => matchesWildcard(word, name);
}

/** Whether a name matches a pattern, in which `*` stands for any text. Takes linear time for each `*`. */
function matchesWildcard(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return name === pattern;
  if (!name.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** Matches a whole text against any of the patterns, ignoring case. Without patterns everything matches. */
export function anyOf(wanted: readonly string[] | undefined): (text: string) => boolean {
  const patterns = wanted?.map((pattern) => pattern.toLowerCase());
  return (text) => patterns?.some((pattern) => matchesWildcard(pattern, text.toLowerCase())) ?? true;
}
