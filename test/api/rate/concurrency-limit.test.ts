import { describe, expect, test } from 'vitest';
import { createConcurrencyLimit, type ConcurrencyLimit } from '../../../src/api/rate/concurrency-limit.ts';

/** Answers of requests that were started while so many were in flight. */
function answered(limit: ConcurrencyLimit, how: 'passed' | 'refused', level: number, times: number): void {
  for (let n = 0; n < times; n++) limit[how](level);
}

/** A limit that has been found: so many pass at once, everything above is refused. */
function limitOf(most: number): ConcurrencyLimit {
  const limit = createConcurrencyLimit();
  answered(limit, 'passed', most, 40);
  answered(limit, 'refused', most + 1, 40);
  expect(limit.learn()).toBe(most);
  return limit;
}

/** What the limit is after each of so many requests has passed at it. */
function whilePassing(limit: ConcurrencyLimit, times: number): number[] {
  return Array.from({ length: times }, () => {
    limit.passed(limit.most());
    return limit.most();
  });
}

describe('a limit of requests in flight is found', () => {
  test('where everything passes up to a level, and above it is refused', () => {
    const limit = createConcurrencyLimit();
    expect(limit.most()).toBe(Infinity);
    for (let level = 1; level <= 5; level++) answered(limit, 'passed', level, 4);
    for (let level = 6; level <= 9; level++) answered(limit, 'refused', level, 4);
    expect(limit.learn()).toBe(5);
    expect(limit.most()).toBe(5);
  });

  test('also where chance refuses a few below it and lets a few pass above it', () => {
    const limit = createConcurrencyLimit();
    answered(limit, 'passed', 5, 90);
    answered(limit, 'refused', 5, 10);
    answered(limit, 'passed', 6, 50);
    answered(limit, 'refused', 6, 50);
    expect(limit.learn()).toBe(5);
  });

  test.each([
    { what: 'few answers, which may be chance', below: [5, 0], above: [0, 2] },
    { what: 'most above it that pass', below: [100, 0], above: [60, 40] },
    { what: 'many below it that are refused as well', below: [80, 20], above: [0, 100] },
    { what: 'no refusal', below: [100, 0], above: [100, 0] },
  ])('but not in $what', ({ below, above }) => {
    const limit = createConcurrencyLimit();
    answered(limit, 'passed', 5, below[0] ?? 0);
    answered(limit, 'refused', 5, below[1] ?? 0);
    answered(limit, 'passed', 6, above[0] ?? 0);
    answered(limit, 'refused', 6, above[1] ?? 0);
    expect(limit.learn()).toBeUndefined();
    expect(limit.most()).toBe(Infinity);
  });

  test('by answers that are about it: what was refused for another reason is left out', () => {
    const limit = createConcurrencyLimit();
    answered(limit, 'passed', 5, 40);
    answered(limit, 'refused', 6, 40);
    limit.reset();
    expect(limit.learn()).toBeUndefined();
  });

  test('once: the same answers do not lower it again', () => {
    expect(limitOf(5).learn()).toBeUndefined();
  });
});

describe('a limit that is known is raised', () => {
  test('after four have passed at it, then after three, then after two each time', () => {
    expect(whilePassing(limitOf(5), 11)).toEqual([5, 5, 5, 6, 6, 6, 7, 7, 8, 8, 9]);
  });

  test('not by requests below it', () => {
    const limit = limitOf(5);
    answered(limit, 'passed', 4, 100);
    expect(limit.most()).toBe(5);
  });

  test('ever more rarely where that is refused, up to sixteen', () => {
    const limit = limitOf(20);
    const needed = Array.from({ length: 4 }, () => {
      let passes = 0;
      for (; limit.most() === 20; passes++) limit.passed(20);
      expect(limit.explains(21)).toBe(true);
      expect(limit.most()).toBe(20);
      return passes;
    });
    expect(needed).toEqual([4, 8, 16, 16]);
  });

  test('not by what becomes of requests that were sent before it was known', () => {
    const limit = limitOf(5);
    answered(limit, 'passed', 4, 40);
    answered(limit, 'refused', 8, 40);
    expect(limit.learn()).toBeUndefined();
    expect(limit.most()).toBe(5);
  });
});

describe('a refusal', () => {
  test.each([
    { inFlight: 15, explained: false, most: 20 },
    { inFlight: 16, explained: true, most: 18 },
    { inFlight: 20, explained: true, most: 18 },
  ])('with $inFlight in flight of at most 20: explained $explained, then at most $most', (expected) => {
    const limit = limitOf(20);
    expect(limit.explains(expected.inFlight)).toBe(expected.explained);
    expect(limit.most()).toBe(expected.most);
  });

  test('lowers a small limit by one', () => {
    const limit = limitOf(5);
    limit.explains(5);
    expect(limit.most()).toBe(4);
  });

  test('after four that passed at the limit lowers nothing, and the next one does', () => {
    const limit = limitOf(10);
    whilePassing(limit, 4);
    limit.explains(11);
    whilePassing(limit, 4);
    expect(limit.explains(10)).toBe(true);
    expect(limit.most()).toBe(10);
    expect(limit.explains(10)).toBe(true);
    expect(limit.most()).toBe(9);
  });

  test('has another cause when it follows four that lowered the limit: then there is none', () => {
    const limit = limitOf(20);
    const explained = Array.from({ length: 5 }, () => limit.explains(20));
    expect(explained).toEqual([true, true, true, true, false]);
    expect(limit.most()).toBe(Infinity);
  });

  test('is explained again once the limit was raised in between', () => {
    const limit = limitOf(20);
    const explained = (times: number) => Array.from({ length: times }, () => limit.explains(20));
    expect(explained(3)).toEqual([true, true, true]);
    whilePassing(limit, 4);
    expect(explained(4)).toEqual([true, true, true, true]);
  });

  test('has another cause where only one is in flight', () => {
    const limit = limitOf(1);
    expect(limit.explains(1)).toBe(false);
    expect(limit.most()).toBe(Infinity);
  });
});

describe('where more are refused than pass', () => {
  test('as many are sent at once as passed of those in flight', () => {
    const limit = createConcurrencyLimit();
    answered(limit, 'passed', 20, 5);
    answered(limit, 'refused', 20, 15);
    expect(limit.lower()).toBe(5);
    expect(limit.most()).toBe(5);
  });

  test('at least one is sent', () => {
    const limit = createConcurrencyLimit();
    answered(limit, 'refused', 20, 40);
    expect(limit.lower()).toBe(1);
  });

  test('levels count by how many requests had them', () => {
    const limit = createConcurrencyLimit();
    answered(limit, 'passed', 10, 30);
    answered(limit, 'refused', 50, 90);
    expect(limit.lower()).toBe(10);
  });

  test('no more are sent at once than the limit that was known', () => {
    const limit = limitOf(5);
    answered(limit, 'passed', 4, 20);
    answered(limit, 'refused', 50, 20);
    expect(limit.lower()).toBe(2);
  });
});
