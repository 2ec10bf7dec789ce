import { addressNamed } from '../../derive/address-named.ts';
import { kindWords, plainWord } from '../../derive/explain/kind-words.ts';
import { quoted } from '../../diagnostics/quoted.ts';
import { kinds } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { splitAddress, type Address } from '../../model/address.ts';
import { suggestAddress, UsageError } from '../../stack/usage-error.ts';

// Fewer letters begin too many words.
const shortestStem = 4;

/** The kind that a word of the command line means: `HTTPSEdge`, `https-edge`, `edges`. */
export function kindNamed(word: string): Kind {
  const found = kindWords(kinds).get(plainWord(word));
  if (found !== undefined) return found;
  throw new UsageError(`unknown kind ${quoted(word, 80)}`, hintFor(word));
}

/** The address that a word of the command line means, with the name of its kind in full: `edge/shop` is `HTTPSEdge/shop`. */
export function addressOfWord(word: string): Address {
  if (!word.includes('/'))
    throw new UsageError(`${quoted(word, 200)} is not an address`, 'write Kind/name, as `sluice plan` prints it');
  const address = addressNamed(word, kinds);
  kindNamed(splitAddress(address).kind);
  return address;
}

/** A suggestion for a misspelled or shortened kind, or the list of all names. */
export function hintFor(word: string, names: readonly string[] = kinds.all.map(({ name }) => name)): string {
  const like = kindsLike(word);
  return (
    suggestAddress(word, names) ??
    (like.length > 0 ? `did you mean ${like.join(' or ')}?` : `use one of: ${names.join(', ')}`)
  );
}

/** Kinds that have a word which begins like this one: `certs`, `addresses`, `subs`. */
function kindsLike(word: string): readonly string[] {
  const stem = plainWord(word).slice(0, shortestStem);
  if (stem.length < shortestStem) return [];
  const found = [...kindWords(kinds)].filter(([known]) => known.startsWith(stem)).map(([, { name }]) => name);
  return [...new Set(found)];
}
