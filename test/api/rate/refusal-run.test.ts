import { expect, test } from 'vitest';
import { createRefusalRun } from '../../../src/api/rate/refusal-run.ts';

/** Requests 3, 4 and 6 were refused. */
function threeRefused() {
  const row = createRefusalRun();
  for (const n of [3, 4, 6]) row.refused(n);
  return row;
}

test('refusals are in a row until a request that started after them passes', () => {
  const row = threeRefused();
  expect(row.length([])).toBe(3);
  row.passed(2);
  expect(row.length([])).toBe(3);
  row.passed(5);
  expect(row.length([])).toBe(1);
  row.passed(7);
  expect(row.length([])).toBe(0);
});

test('a request in flight may pass yet, so what was refused after it does not count for certain', () => {
  expect(threeRefused().length([1, 5])).toBe(2);
  expect(threeRefused().length([1, 2])).toBe(3);
  expect(threeRefused().length([7])).toBe(3);
});

test('a row that was judged begins again', () => {
  const row = threeRefused();
  row.reset();
  expect(row.length([])).toBe(0);
});
