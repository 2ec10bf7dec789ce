import { describe, expect, test } from 'vitest';
import { createNoise, type Noise } from '../../../src/api/rate/noise.ts';

/** What is known after so many requests that passed, each time with so many refused after them. */
function after(
  times: number,
  { passed, refused, isFound = true }: { passed: number; refused: number; isFound?: boolean },
): Noise {
  const noise = createNoise();
  for (let n = 0; n < times; n++) {
    for (let each = 0; each < passed; each++) noise.passed();
    for (let each = 0; each < refused; each++) noise.refused();
  }
  if (isFound) noise.found();
  return noise;
}

describe('noise', () => {
  test('is the share that is refused, once it was found', () => {
    expect(after(20, { passed: 9, refused: 1, isFound: false }).share()).toBeUndefined();
    expect(after(40, { passed: 9, refused: 1 }).share()).toBeCloseTo(0.1, 2);
    expect(after(40, { passed: 3, refused: 1 }).share()).toBeCloseTo(0.25, 2);
  });

  test('is as the last requests were, and none after a thousand that pass', () => {
    const noise = after(40, { passed: 1, refused: 1 });
    const shares = [100, 100, 1_000].map((times) => {
      for (let n = 0; n < times; n++) noise.passed();
      return noise.share();
    });
    expect(shares[1]).toBeLessThan(shares[0] ?? 0);
    expect(shares[2]).toBeUndefined();
  });

  test('is forgotten where refusals have another cause', () => {
    const noise = after(40, { passed: 1, refused: 1 });
    noise.reset();
    expect([noise.share(), noise.mostInARow(), noise.isTooMuch()]).toEqual([undefined, 2, false]);
  });

  test('explains three to five refusals in a row, the more of them the more it refuses', () => {
    const most = (passed: number, refused: number): number => after(50, { passed, refused }).mostInARow();
    expect([most(19, 1), most(5, 1), most(3, 1), most(1, 1), most(0, 1)]).toEqual([3, 4, 5, 5, 5]);
  });

  test('is too much at half of all requests, of forty or more', () => {
    expect([
      after(60, { passed: 1, refused: 1 }).isTooMuch(),
      after(60, { passed: 2, refused: 1 }).isTooMuch(),
    ]).toEqual([true, false]);
    expect([
      after(20, { passed: 0, refused: 1 }).isTooMuch(),
      after(60, { passed: 0, refused: 1 }).isTooMuch(),
    ]).toEqual([false, true]);
    expect(after(60, { passed: 1, refused: 1, isFound: false }).isTooMuch()).toBe(false);
  });
});
