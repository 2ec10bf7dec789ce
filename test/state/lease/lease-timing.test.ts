import { expect, test } from 'vitest';
import { outageMs, unsafeTiming, windowMs } from '../../../src/state/lease/lease-timing.ts';
import { usualTiming } from '../../support/usual-timing.ts';

test('the usual durations leave 20 seconds in which a write may start, and outlast an outage of two minutes', () => {
  expect([windowMs(usualTiming), outageMs(usualTiming), unsafeTiming(usualTiming)]).toEqual([
    20_000,
    120_000,
    undefined,
  ]);
});

test('the margin must be at least an eleventh of the duration', () => {
  const timing = { ...usualTiming, durationMs: 66_000 };
  expect(unsafeTiming({ ...timing, marginMs: 6_000 })).toBeUndefined();
  expect(unsafeTiming({ ...timing, marginMs: 5_999 })).toBe(
    'the margin (5.999 s) must be at least an eleventh of the duration (66 s)',
  );
});

test('a heartbeat and an answer of the store must fit into the time in which a write may start', () => {
  expect(unsafeTiming({ ...usualTiming, heartbeatMs: 15_000 })).toBeUndefined();
  expect(unsafeTiming({ ...usualTiming, heartbeatMs: 16_000 })).toBe(
    'duration (60 s) minus write_deadline (30 s) and margin (10 s) must be at least heartbeat plus store_deadline (21 s)',
  );
});
