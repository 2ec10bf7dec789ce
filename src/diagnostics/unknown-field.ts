import { didYouMean } from './did-you-mean.ts';
import { safeText } from './safe-text.ts';

/** The problem of an unknown key: where it is, and the field that was probably meant, or all known fields. */
export function unknownField(
  key: string,
  known: readonly string[],
  where?: string,
): { readonly code: 'UNKNOWN_FIELD'; readonly message: string; readonly hint: string } {
  return {
    code: 'UNKNOWN_FIELD',
    message: `unknown field \`${safeText(key, 100)}\`${where === undefined ? '' : ` in ${where}`}`,
    hint: didYouMean(key, known) ?? `known fields: ${known.join(', ')}`,
  };
}
