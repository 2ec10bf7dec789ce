import { expect, test } from 'vitest';
import { planSummary, requestsEstimate } from '../../../src/render/plan/plan-summary.ts';
import { change, planOf } from '../plans.ts';

test.each([
  [7, undefined, '7 API requests'],
  [1, undefined, '1 API request'],
  [0, 500, '0 API requests'],
  [7, 500, '7 API requests, about 4 s at this rate limit'],
  [1, 500, '1 API request, about 1 s at this rate limit'],
  [238, 500, '238 API requests, about 119 s at this rate limit'],
  [600, 500, '600 API requests, about 5 min at this rate limit'],
  [30_000, 500, '30000 API requests, about 4 h at this rate limit'],
])('%i requests, %s ms apart', (requests, gapMs, text) => {
  expect(requestsEstimate(requests, gapMs)).toBe(text);
});

test('a plan with nothing to send promises no time', () => {
  const plan = planOf([change({ address: 'HTTPSEdge/shop', action: 'forget' })], { gapMs: 500 });
  expect(planSummary(plan)).toBe('1 to forget; 0 API requests.');
});
