import { expect, test } from 'vitest';
import { nextRefreshMs, shortestRefreshMs } from '../../../src/watch/timing/refresh-interval.ts';

test('a refresh comes after its interval, a tenth more or less by chance', () => {
  expect([0, 0.5, 1].map((chance) => nextRefreshMs(60_000, () => chance))).toEqual([54_000, 60_000, 66_000]);
  expect(shortestRefreshMs(60_000)).toBe(54_000);
});
