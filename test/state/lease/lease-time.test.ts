import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { longestSince, machineTime, shortestSince } from '../../../src/state/lease/lease-time.ts';

test('how long ago a moment was lies between what the two clocks say', () => {
  const [then, now] = [
    { monotonic: 1_000, wall: 50_000 },
    { monotonic: 3_000, wall: 59_000 },
  ];
  expect([shortestSince(then, now), longestSince(then, now)]).toEqual([2_000, 9_000]);
});

test('what is done again and again is done no more once it has ended', async () => {
  let times = 0;
  const end = machineTime.every(1, () => void (times += 1));
  await expect.poll(() => times).toBeGreaterThan(2);
  end();
  const before = times;
  await delay(30);
  expect(times).toBe(before);
});

test('a sleep ends when it is interrupted', async () => {
  const interrupted = new AbortController();
  const asleep = machineTime.sleep(3_600_000, interrupted.signal);
  interrupted.abort();
  await expect(asleep).rejects.toThrow();
  const { monotonic, wall } = machineTime.now();
  await machineTime.sleep(2);
  expect(machineTime.now().monotonic).toBeGreaterThan(monotonic);
  expect(machineTime.now().wall).toBeGreaterThanOrEqual(wall);
});
