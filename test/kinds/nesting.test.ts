import { expect, test } from 'vitest';
import { isTooDeep } from '../../src/kinds/nesting.ts';

const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

test.each([
  ['lists', '[', ']'],
  ['mappings', '{', '}'],
  ['lists of YAML in one line', '- ', ''],
  ['keys of YAML that are mappings', '? ', ''],
])('%s are too deep from 200 levels on, give or take one', (_what, open, close) => {
  expect(isTooDeep(nested(open, close, 199))).toBe(false);
  expect(isTooDeep(nested(open, close, 201))).toBe(true);
});

test('what stands side by side is not deep, however much there is', () => {
  expect(isTooDeep(nested('[]', '{}', 500))).toBe(false);
});
