import { looksLike } from '../checks.ts';
import { dictOf, module, setOf, text } from '../fields.ts';
import type { Rule } from '../kind.ts';
import { isSpecObject } from '../value.ts';

const name = text('Name of a header.', {
  compare: 'caseless',
  format: 'header-name',
  identifies: true,
  checks: [looksLike(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'a valid header name (RFC 9110)', { code: 'INVALID_HEADER' })],
});
const value = text('Value of the header.', {
  compare: 'header-value',
  format: 'header-value',
  checks: [
    looksLike(/^[^\x00-\x08\x0a-\x1f\x7f]*$/u, 'a valid header value (no line breaks or control characters)', {
      code: 'INVALID_HEADER',
    }),
  ],
});

const onceEach: Rule = {
  code: 'DUPLICATE_HEADER',
  since: 'completed',
  check: ({ add, remove }) => [
    ...repeats('add', isSpecObject(add) ? Object.keys(add) : []),
    ...repeats('remove', Array.isArray(remove) ? remove : []),
  ],
};

function repeats(field: string, names: readonly unknown[]) {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    // The value of another resource is not known yet.
    if (typeof name !== 'string') return [];
    const key = name.toLowerCase();
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const message = `\`${field}\` contains the header ${JSON.stringify(name.slice(0, 100))} twice (letter case does not matter)`;
    return [{ path: [field, field === 'add' ? name : index], message }];
  });
}

function headers(direction: string, suffix: `/${string}`) {
  return module(
    `Adds and removes headers of the ${direction}.`,
    {
      add: dictOf(name, value, `Headers to add to the ${direction}.`),
      remove: setOf(name, `Headers to remove from the ${direction}.`),
    },
    { rules: [onceEach], path: { suffix, since: 'completed' } },
  );
}

/** Headers of the request on its way upstream. */
export const requestHeaders = headers('request', '/request_headers');

/** Headers of the response on its way back. */
export const responseHeaders = headers('response', '/response_headers');
