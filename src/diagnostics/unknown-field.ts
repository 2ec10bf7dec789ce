import { didYouMean } from './did-you-mean.ts';

/** What is said of a key that nothing here is called: which one was probably meant, or all that there are. */
export function unknownField(
  key: string,
  known: readonly string[],
): { readonly code: 'UNKNOWN_FIELD'; readonly message: string; readonly hint: string } {
  return {
    code: 'UNKNOWN_FIELD',
    message: 'no such field here',
    hint: didYouMean(key, known) ?? `known fields: ${known.join(', ')}`,
  };
}
