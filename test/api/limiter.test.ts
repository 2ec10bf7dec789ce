import { describe, expect, test } from 'vitest';
import { createLimiter, parseRate } from '../../src/api/limiter.ts';
import { virtualClock } from '../support/virtual-clock.ts';

/** When each of so many requests was let go. */
async function times(requests: number, rate: string | undefined, heard: (n: number) => number = () => 200) {
  const clock = virtualClock();
  const limiter = createLimiter(rate === undefined ? undefined : parseRate(rate), clock);
  const went: number[] = [];
  const one = async (n: number) => {
    await limiter.admit();
    went.push(clock.now());
    limiter.heard(heard(n));
  };
  await clock.run(Promise.all(Array.from({ length: requests }, (_, n) => one(n))));
  return went;
}

describe('a given rate', () => {
  test('is never exceeded in any window', async () => {
    const went = await times(300, '120/60s');
    for (const start of went)
      expect(went.filter((time) => time >= start && time < start + 60_000).length).toBeLessThanOrEqual(120);
  });

  test('costs little more than the quota itself', async () => {
    const went = await times(360, '120/60s');
    const floor = (360 / 120) * 60_000 - 60_000;
    expect((went.at(-1) ?? 0) / (360 * 500)).toBeLessThan(1.05);
    expect(went.at(-1)).toBeGreaterThanOrEqual(floor);
  });

  test('lets a small run go at once', async () => {
    expect((await times(4, '120/60s')).at(-1)).toBe(0);
  });
});

describe('without a rate', () => {
  test('nothing is held back', async () => {
    expect((await times(500, undefined)).at(-1)).toBe(0);
  });

  test('a 429 holds everything for as long as the service asks, and slows what follows', async () => {
    const clock = virtualClock();
    const limiter = createLimiter(undefined, clock);
    limiter.heard(429, 7_000);
    await clock.run(limiter.admit());
    expect(clock.now()).toBe(7_000);
    await clock.run(limiter.admit());
    expect(clock.now()).toBe(7_100);
  });

  test('several 429 to requests that were under way together count as one', async () => {
    const clock = virtualClock();
    const limiter = createLimiter(undefined, clock);
    for (let n = 0; n < 10; n++) limiter.heard(429, 0);
    await clock.run(limiter.admit());
    const first = clock.now();
    await clock.run(limiter.admit());
    expect(clock.now() - first).toBe(100);
  });

  test('the pace grows again while all goes well', async () => {
    const clock = virtualClock();
    const limiter = createLimiter(undefined, clock);
    limiter.heard(429, 0);
    for (let n = 0; n < 300; n++) limiter.heard(200);
    await clock.run(limiter.admit());
    const first = clock.now();
    await clock.run(limiter.admit());
    expect(clock.now() - first).toBeLessThan(2);
  });
});

test.each([
  ['120/60s', { requests: 120, perMs: 60_000 }],
  ['10/1m', { requests: 10, perMs: 60_000 }],
  ['5/250ms', { requests: 5, perMs: 250 }],
  ['0/60s', undefined],
  ['120 per minute', undefined],
  ['120/60', undefined],
])('the rate %s', (text, rate) => {
  expect(parseRate(text)).toEqual(rate);
});
