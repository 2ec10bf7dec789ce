import { expect, test } from 'vitest';
import { durationText, secondsIn } from '../../src/derive/duration.ts';

test.each([
  ['90d', 7_776_000],
  ['12h', 43_200],
  ['45m', 2_700],
  ['1s', 1],
  ['2w', 1_209_600],
  ['36500d', 3_153_600_000],
])('%s is %d seconds', (text, seconds) => {
  expect(secondsIn(text)).toBe(seconds);
});

test.each(['', '90', 'd', '0d', '-1d', '1.5h', '90 d', '90D', '1d12h', '90days', '101w\n', '5300w', '36501d'])(
  '%j is no duration',
  (text) => {
    expect(secondsIn(text)).toBeUndefined();
  },
);

test.each([
  ['90d', '90d'],
  ['48h', '2d'],
  ['2w', '14d'],
  ['90m', '90m'],
  ['61s', '61s'],
])('%s is written as %s', (text, reported) => {
  expect(durationText(secondsIn(text) ?? 0)).toBe(reported);
});
