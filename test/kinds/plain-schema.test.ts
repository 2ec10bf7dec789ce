import { expect, test } from 'vitest';
import { anyFlag, anyText, someText, takesAsItIs } from '../../src/kinds/plain-schema.ts';

test.each([
  ['any text', anyText],
  ['some text', someText],
  ['true or false', anyFlag],
])('%s is taken without zod exactly where zod takes it', (_, schema) => {
  for (const value of ['', ' ', 'text', '\0', '\u{1F600}', true, false, 0, 1, NaN, null, undefined, [], {}, ['text']])
    expect([value, takesAsItIs(schema, value)]).toEqual([value, schema.safeParse(value).success]);
});

test('zod is asked about every other schema', () => {
  expect(takesAsItIs(anyText.max(3), 'text')).toBe(false);
});
