import { kindWords, plainWord } from '../derive/explain/kind-words.ts';
import type { Kind } from '../kinds/kind.ts';
import type { KindSet } from '../kinds/kind-set.ts';
import { suggestAddress } from '../stack/address-suggestion.ts';
import { UsageError } from '../stack/usage-error.ts';

/** The kind that a word of the command line means: `HTTPSEdge`, `https-edge`, `edges`. */
export function kindNamed(word: string, kinds: KindSet): Kind {
  const found = kindWords(kinds).get(plainWord(word));
  if (found !== undefined) return found;
  const names = kinds.all.map(({ name }) => name);
  throw new UsageError(`unknown kind ${JSON.stringify(word)}`, hintFor(word, names));
}

/** A suggestion for a misspelled kind, or the list of all kinds. */
export function hintFor(word: string, names: readonly string[]): string {
  return suggestAddress(word, names) ?? `use one of: ${names.join(', ')}`;
}
