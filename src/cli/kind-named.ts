import type { Kind } from '../kinds/kind.ts';
import type { KindSet } from '../kinds/kind-set.ts';
import { suggestAddress } from '../stack/address-suggestion.ts';
import { UsageError } from '../stack/usage-error.ts';

/** The kind a person means, however they spell it: case, hyphens and underscores aside. */
export function kindNamed(word: string, kinds: KindSet): Kind {
  const found = kinds.all.find(({ name }) => plainly(name) === plainly(word));
  if (found !== undefined) return found;
  const names = kinds.all.map(({ name }) => name);
  throw new UsageError(`there is no kind ${JSON.stringify(word)}`, hintFor(word, names));
}

/** What may have been meant, or all there is to choose from. */
export function hintFor(word: string, names: readonly string[]): string {
  return suggestAddress(word, names) ?? `kinds: ${names.join(', ')}`;
}

/** A word without what people spell differently. */
export function plainly(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, '');
}
