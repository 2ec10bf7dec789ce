import { expect, test } from 'vitest';
import { isTooDeep } from '../../src/kinds/nesting.ts';

const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

test.each([
  ['lists', '[', ']', 201],
  ['mappings', '{', '}', 201],
  ['lists of YAML in one line', '- ', '', 200],
  ['keys of YAML that are mappings', '? ', '', 200],
])('%s are too deep, and with one level less they are not', (_what, open, close, depth) => {
  expect(isTooDeep(nested(open, close, depth))).toBe(true);
  expect(isTooDeep(nested(open, close, depth - 1))).toBe(false);
});

test('what stands side by side is not deep, however much there is', () => {
  expect(isTooDeep('[]{}'.repeat(500))).toBe(false);
});
