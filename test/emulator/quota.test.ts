import { expect, test } from 'vitest';
import { latency } from '../../src/emulator/faults/latency.ts';
import { quota } from '../../src/emulator/faults/quota.ts';
import { setUp } from './support/setup.ts';

test('what is over the quota is told when there is room again, and then passes', async () => {
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
