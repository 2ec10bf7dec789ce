import { suggest } from '../diagnostics/suggest.ts';

/** The hint to the word of a command line that was probably meant, if there is one near enough. */
export function suggestAddress(word: string, known: Iterable<string>): string | undefined {
  const near = suggest(word, known);
  return near === undefined ? undefined : `did you mean ${near}?`;
}
