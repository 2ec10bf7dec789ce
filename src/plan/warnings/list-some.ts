/** A list of names in words, shortened: `a, b and 4 more`. */
export function listSome(names: readonly string[], most = 3): string {
  const rest = names.length - most;
  if (rest > 0) return `${names.slice(0, most).join(', ')} and ${String(rest)} more`;
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
