import { describe, expect, test } from 'vitest';
import type { Rate } from '../../../src/api/rate/rate.ts';
import { fixedRate, learnedRate, type RequestRate } from '../../../src/api/rate/request-rate.ts';

/** Requests that pass, evenly from a moment on; when the last one passed. */
function pass(rate: RequestRate, count: number, from: number, everyMs: number): number {
  for (let n = 0; n < count; n++) rate.passed(from + n * everyMs, rate.start(from + n * everyMs));
  return from + (count - 1) * everyMs;
}

/** To which share of itself a pace quickens while so many pass as soon as it allows. */
function quickenedBy(rate: RequestRate, count: number, from: number): number {
  const before = rate.gapMs(from) ?? 0;
  let at = from;
  rate.start(at);
  for (let n = 0; n < count; n++) {
    at = rate.nextStart(at);
    rate.passed(at, rate.start(at));
  }
  return (rate.gapMs(at) ?? 0) / before;
}

/** A pace that was learned: fifty requests passed in ten seconds, then the service asked to wait for five. */
function learned(): RequestRate {
  const rate = learnedRate();
  pass(rate, 50, 0, 200);
  rate.refused(10_000, 5_000);
  return rate;
}

describe('a given rate', () => {
  test('lets 4 % start at once and spreads the rest', () => {
    const rate = fixedRate(() => ({ requests: 100, perMs: 960 }));
    const starts = Array.from({ length: 6 }, () => {
      const at = Math.max(0, rate.nextStart(0));
      rate.start(at);
      return at;
    });
    expect(starts).toEqual([0, 0, 0, 0, 10, 20]);
  });

  test('saves up no more than that in a pause', () => {
    const rate = fixedRate(() => ({ requests: 100, perMs: 960 }));
    pass(rate, 4, 0, 0);
    for (let n = 0; n < 4; n++) {
      expect(rate.nextStart(60_000)).toBeLessThanOrEqual(60_000);
      rate.start(60_000);
    }
    expect(rate.nextStart(60_000)).toBe(60_010);
  });

  test.each([1, 2, 24])('of %d requests a second begins with one', (requests) => {
    const rate = fixedRate(() => ({ requests, perMs: 1_000 }));
    rate.start(0);
    expect(rate.nextStart(0)).toBe(1_000 / Math.max(1, requests - 1));
  });

  test('is the one of the moment, and refusals do not change it', () => {
    let now: Rate = { requests: 10, perMs: 1_000 };
    const rate = fixedRate(() => now);
    expect(rate.gapMs(0)).toBe(100);
    now = { requests: 20, perMs: 1_000 };
    expect(rate.refused(0, 5_000)).toBeUndefined();
    expect(rate.gapMs(0)).toBe(50);
    expect(rate.isSteady()).toBe(true);
  });
});

describe('a pace that is learned', () => {
  test('is none until the first refusal', () => {
    const rate = learnedRate();
    pass(rate, 100, 0, 1);
    expect(rate.gapMs(100)).toBeUndefined();
    expect(rate.nextStart(100)).toBe(99);
  });

  test('is what has passed, over its time and the wait without the second it is rounded up by, and 3 % slower', () => {
    const rate = learned();
    expect(rate.gapMs(10_000)).toBeCloseTo((14_000 / 50) * 1.03, 6);
    rate.start(16_000);
    expect(rate.nextStart(16_000)).toBeCloseTo(16_000 + 288.4, 6);
  });

  test('is at least what has passed over the wait alone', () => {
    const rate = learnedRate();
    pass(rate, 40, 0, 1);
    expect(rate.refused(39, 2_000)).toBeCloseTo((2_000 / 40) * 1.03, 6);
  });

  test.each([
    { passed: 3, gapMs: 100 },
    { passed: 19, gapMs: 100 },
    { passed: 20, gapMs: (13_500 / 20) * 1.03 },
  ])('is a guess after few: $passed passed', ({ passed, gapMs }) => {
    const rate = learnedRate();
    pass(rate, passed, 0, 500);
    expect(rate.refused(9_500, 5_000)).toBeCloseTo(gapMs, 6);
  });

  test('is at most twice as slow after few more', () => {
    const rate = learned();
    pass(rate, 1, 16_000, 0);
    expect(rate.refused(30_000, 5_000)).toBeCloseTo(2 * 288.4, 0);
  });

  test('is no slower than the longest wait so far: whoever has waited so long passes', () => {
    const rate = learnedRate();
    pass(rate, 20, 0, 10_000);
    expect(rate.refused(200_000, 2_000)).toBe(3_000);
  });

  test('keeps to the longest wait where a shorter one follows', () => {
    const rate = learnedRate();
    pass(rate, 20, 0, 10_000);
    rate.refused(200_000, 9_000);
    pass(rate, 20, 210_000, 12_000);
    expect(rate.refused(450_000, 2_000)).toBe(10_000);
  });

  test('of less than a millisecond is one of a millisecond', () => {
    const rate = learnedRate();
    pass(rate, 5_000, 0, 0);
    expect(rate.refused(0, 100)).toBe(1);
  });

  test('measures anew after a pause of more than a minute', () => {
    const rate = learnedRate();
    const last = pass(rate, 50, 0, 200);
    pass(rate, 30, last + 60_001, 100);
    expect(rate.measure(last + 60_001 + 3_000, 0)).toBeCloseTo(103, 6);
    pass(rate, 10, last + 60_001 + 2_900 + 60_000, 0);
    expect(rate.measure(last + 60_001 + 2_900 + 60_000, 0)).toBeCloseTo((62_900 / 40) * 1.03, 6);
  });

  test('measures from the first that passes after a refusal', () => {
    const rate = learned();
    pass(rate, 21, 20_000, 300);
    expect(rate.measure(26_300, 0)).toBeCloseTo((6_300 / 21) * 1.03, 6);
  });

  test('counts from the start of the first request, not from its answer', () => {
    const rate = learnedRate();
    const first = rate.start(0);
    pass(rate, 19, 1_000, 0);
    rate.passed(2_000, first);
    expect(rate.measure(2_000, 0)).toBeCloseTo(103, 6);
  });

  test('shows nothing while nothing has passed', () => {
    expect(learnedRate().measure(1_000, 1_000)).toBe(Infinity);
  });

  test('slows by 3 % at a refusal after thirty that passed, by twice as many margins at each that follows sooner', () => {
    const rate = learned();
    const refusals = [
      { passed: 25, askedMs: 3_000, margins: 2 },
      { passed: 25, askedMs: 4_000, margins: 4 },
      { passed: 30, askedMs: 5_000, margins: 1 },
      { passed: 25, askedMs: 4_600, margins: 2 },
    ];
    for (const [n, { passed, askedMs, margins }] of refusals.entries()) {
      const now = 20_000 * (n + 1);
      const before = rate.gapMs(now) ?? 0;
      // Later than the pace allows, so that nothing quickens it.
      for (let sent = 0; sent < passed; sent++) rate.passed(now + 200 * sent, { ...rate.start(now), isTrial: false });
      expect((rate.refused(now + 200 * passed, askedMs) ?? 0) / before).toBeCloseTo(1.03 ** margins, 3);
    }
  });
});

describe('a pace that was learned quickens', () => {
  test('with each request that passes as soon as it allows, by 2 % at most', () => {
    const rate = learned();
    let gap = rate.gapMs(10_000) ?? 0;
    let at = 16_000;
    rate.start(at);
    for (let n = 0; n < 100; n++) {
      at = rate.nextStart(at);
      rate.passed(at, rate.start(at));
      const next = rate.gapMs(at) ?? 0;
      expect(next).toBeLessThan(gap);
      expect(next).toBeGreaterThanOrEqual(gap * 0.98 - 1e-9);
      gap = next;
    }
    expect(gap).toBeLessThan(288.4 / 2);
  });

  test('not with requests that came later than it allows, nor with those of before the refusal', () => {
    const rate = learnedRate();
    const before = rate.start(0);
    pass(rate, 50, 0, 200);
    const gap = rate.refused(10_000, 5_000);
    pass(rate, 30, 20_000, 400);
    rate.passed(32_000, { ...before, isTrial: true });
    expect(rate.gapMs(32_000)).toBe(gap);
  });

  test('fast after the first refusal, and more slowly the longer a refusal costs', () => {
    expect(quickenedBy(learned(), 20, 20_000)).toBeCloseTo(0.72, 2);
    const rate = learnedRate();
    pass(rate, 50, 0, 200);
    rate.refused(10_000, 60_000);
    expect(quickenedBy(rate, 20, 80_000)).toBeCloseTo(0.79, 2);
  });

  test('fast after one that came before anything passed: nothing confirms it', () => {
    const rate = learned();
    rate.refused(15_000, 5_000);
    expect(quickenedBy(rate, 20, 20_000)).toBeLessThan(0.75);
  });

  test.each([
    { what: 'the pace learned before', passed: 50, elapsedMs: 10_000 },
    { what: 'the pace it had quickened to', passed: 100, elapsedMs: 6_000 },
  ])('hardly after a refusal that confirms $what', ({ passed, elapsedMs }) => {
    const rate = learned();
    expect(quickenedBy(rate, 56, 20_000)).toBeLessThan(0.4);
    // The measurement that follows is of these alone.
    for (let n = 1; n < passed - 55; n++) rate.passed(40_000, { ...rate.start(40_000), isTrial: false });
    rate.refused(20_300 + elapsedMs, 5_000);
    expect(quickenedBy(rate, 20, 50_000)).toBeGreaterThan(0.99);
  });

  test('until nothing is left of it', () => {
    const rate = learned();
    let at = 16_000;
    rate.start(at);
    for (let n = 0; n < 2_000; n++) {
      at = Math.max(at, rate.nextStart(at));
      rate.passed(at, rate.start(at));
    }
    expect(rate.gapMs(at)).toBeUndefined();
  });

  test('and a refusal before thirty have passed is too soon for that', () => {
    const rate = learned();
    pass(rate, 29, 20_000, 400);
    expect(rate.isSteady()).toBe(true);
    pass(rate, 1, 40_000, 0);
    expect(rate.isSteady()).toBe(false);
  });
});

describe('a pace that was learned is forgotten', () => {
  test('ten minutes after the last refusal', () => {
    expect(learned().gapMs(610_000)).toBeCloseTo(288.4, 6);
    expect(learned().gapMs(610_001)).toBeUndefined();
  });

  test('where refusals are not by rate, with all that was measured', () => {
    const rate = learned();
    rate.forget(20_000);
    expect(rate.gapMs(20_000)).toBeUndefined();
    expect(rate.measure(30_000, 0)).toBe(Infinity);
    pass(rate, 20, 21_000, 10_000);
    expect(rate.refused(221_000, 2_000)).toBe(3_000);
  });
});
