import { kindWords, plainWord } from '../../derive/explain/kind-words.ts';
import { quoted } from '../../diagnostics/quoted.ts';
import type { Kind, KindSet } from '../../kinds/kind.ts';
import { UsageError, suggestAddress } from '../../stack/usage-error.ts';

// Fewer letters begin too many words.
const shortestStem = 4;

/** The kind that a word of the command line means: `HTTPSEdge`, `https-edge`, `edges`. */
export function kindNamed(word: string, kinds: KindSet): Kind {
  const found = kindWords(kinds).get(plainWord(word));
  if (found !== undefined) return found;
  const names = kinds.all.map(({ name }) => name);
  throw new UsageError(`unknown kind ${quoted(word, 80)}`, hintFor(word, names, kinds));
}

/** A suggestion for a misspelled or shortened kind, or the list of all names. */
export function hintFor(word: string, names: readonly string[], kinds: KindSet): string {
  const like = kindsLike(word, kinds);
  return (
    suggestAddress(word, names) ??
    (like.length > 0 ? `did you mean ${like.join(' or ')}?` : `use one of: ${names.join(', ')}`)
  );
}

/** Kinds that have a word which begins like this one: `certs`, `addresses`, `subs`. */
function kindsLike(word: string, kinds: KindSet): readonly string[] {
  const stem = plainWord(word).slice(0, shortestStem);
  if (stem.length < shortestStem) return [];
  const found = [...kindWords(kinds)].filter(([known]) => known.startsWith(stem)).map(([, { name }]) => name);
  return [...new Set(found)];
}
