import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hasSlept, wallClock } from '../../src/api/clock.ts';

test('a sleep that is longer than a timer of Node.js can be is not over at once', async () => {
  const over = new AbortController();
  const slept = hasSlept(wallClock, 2 ** 31, over.signal);
  await delay(20);
  over.abort();
  expect(await slept).toBe(false);
});
