import type { Lint } from './kind.ts';

/** One of the words that services are known to take, in any case. The list is not closed: others are a warning only. */
export function knownWord(what: string, words: readonly string[]): Lint {
  const known = new Set(words.map((word) => word.toLowerCase()));
  return {
    code: 'UNKNOWN_VALUE',
    test: (text) =>
      text === '' || known.has(text.toLowerCase())
        ? undefined
        : { message: `the value \`${text}\` is not a known ${what}`, known: words },
  };
}

/** Text that a pattern finds something unusual in. */
export function unusual(pattern: RegExp, message: string, hint: (text: string) => string): Lint {
  return {
    code: 'UNUSUAL_VALUE',
    test: (text) => (pattern.test(text) ? { message, hint: hint(text) } : undefined),
  };
}

/** One entry for each scope: several in one text are sent as one. */
export const oneScope = unusual(
  /[\s,]/,
  'the item contains spaces or commas, but the service treats each item as a single scope',
  (text) => `write each scope as a separate item: [${text.split(/[\s,]+/).join(', ')}]`,
);
