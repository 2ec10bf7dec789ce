import { expect, test } from 'vitest';
import { concurrency, quota, tokenBucket } from '../../src/emulator/faults/request-limits.ts';
import { latency } from '../../src/emulator/faults/latency.ts';
import { setUp } from './support/setup.ts';

test('what is over the quota gets the time of the next free slot, and then passes', async () => {
  let now = 0;
  const { emulator, call } = setUp();
  emulator.intercept(quota({ requests: 2, seconds: 60 }, () => new Date(now)));
  await call('GET', '/reserved_addrs');
  now = 20_000;
  await call('GET', '/reserved_addrs');
  const refused = await call('POST', '/reserved_addrs', {});
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '40']);
  expect(emulator.snapshot().resources).toEqual([]);
  now = 60_000;
  expect((await call('POST', '/reserved_addrs', {})).status).toBe(201);
});

test('an answer may be late, though the work is done at once', async () => {
  const { emulator, call } = setUp();
  emulator.intercept(latency(30));
  const sent = call('POST', '/reserved_addrs', {});
  await Promise.resolve();
  expect(emulator.snapshot().resources).toHaveLength(1);
  expect((await sent).status).toBe(201);
});

test('a token bucket lets a burst through, then as many as its rate', async () => {
  let now = 0;
  const { emulator, call } = setUp();
  emulator.intercept(tokenBucket({ burst: 3, requests: 1, seconds: 2 }, () => new Date(now)));
  const statuses = async (): Promise<number[]> => {
    const answers = [await call('GET', '/reserved_addrs'), await call('GET', '/reserved_addrs')];
    return answers.map(({ status }) => status);
  };
  expect(await statuses()).toEqual([200, 200]);
  expect(await statuses()).toEqual([200, 429]);
  expect((await call('GET', '/reserved_addrs')).headers['retry-after']).toBe('2');
  now = 2_000;
  expect(await statuses()).toEqual([200, 429]);
});

test('what arrives while too many are in flight is refused', async () => {
  const { emulator, call } = setUp();
  emulator.intercept(latency(10));
  emulator.intercept(concurrency(2));
  const answers = await Promise.all([1, 2, 3].map(() => call('GET', '/reserved_addrs')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect((await call('GET', '/reserved_addrs')).status).toBe(200);
});
