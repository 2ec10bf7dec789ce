import type { KindSet } from '../kinds/kind.ts';
import { addressOf, splitAddress, type Address } from '../model/address.ts';
import { kindWords, plainWord } from './explain/kind-words.ts';

/** The address that a person means, with the name of its kind in full: `edge/shop` is `HTTPSEdge/shop`. Of an unknown kind, as it is. */
export function addressNamed(text: string, kinds: KindSet): Address {
  if (!text.includes('/')) return text;
  const { kind, name } = splitAddress(text);
  const found = kindWords(kinds).get(plainWord(kind));
  return found === undefined ? text : addressOf(found.name, name);
}
