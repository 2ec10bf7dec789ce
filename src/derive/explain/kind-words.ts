import type { Kind, KindSet } from '../../kinds/kind.ts';

/** The words by which a person may call each kind: its name, its last words, its initials, each also in the plural. Ambiguous words are omitted. */
export function kindWords(kinds: KindSet): ReadonlyMap<string, Kind> {
  const found = new Map<string, Kind | undefined>();
  for (const kind of kinds.all) found.set(plainWord(kind.name), kind);
  for (const kind of kinds.all)
    for (const word of wordsOf(kind)) {
      const other = found.get(word);
      if (other === undefined && found.has(word)) continue;
      if (other === undefined || other === kind) found.set(word, kind);
      else if (plainWord(other.name) !== word) found.set(word, undefined);
    }
  return new Map([...found].filter((entry): entry is [string, Kind] => entry[1] !== undefined));
}

/** A word in lower case, without hyphens and underscores. */
export function plainWord(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, '');
}

function wordsOf({ name, listKey, idPrefix }: Kind): Set<string> {
  const parts = name.match(/[A-Z]+(?![a-z])|[A-Z][a-z]+/g) ?? [name];
  const tails = parts.map((_, index) => parts.slice(index).join(''));
  const initials = parts.length > 1 ? [parts.map((part) => part.charAt(0)).join('')] : [];
  const single = [...tails, ...initials, idPrefix].map(plainWord);
  return new Set([...single, ...single.map(plural), plainWord(listKey)]);
}

/** The plural of the name of a kind. */
export function plural(word: string): string {
  if (word.endsWith('y')) return `${word.slice(0, -1)}ies`;
  return /(s|x|ch)$/.test(word) ? `${word}es` : `${word}s`;
}

/** The name of a kind on the command line and in file names: `agent-thing` for AgentThing. */
export function spelledKind(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}
