import { expect, test } from 'vitest';
import { machineTime, type LeaseTime } from '../../../src/state/lease/lease-time.ts';
import { usualTiming as timing } from '../../../src/state/lease/lease-timing.ts';
import { keepInThisThread, type KeptLease } from '../../../src/state/remote/kept-lease.ts';
import { leaseIn } from '../../../src/state/remote/lease-record.ts';
import type { SwapResult } from '../../../src/state/remote/remote-store.ts';
import { takeLease } from '../../../src/state/remote/take-lease.ts';
import { memoryStore, sharedMemory } from './memory-store.ts';
import { notingTime } from './noting-time.ts';

/** A lease that is held in a store which gives this answer a number of times, and the right one after that. */
async function keptWhere(answer: SwapResult, times: number) {
  const memory = sharedMemory();
  const inner = memoryStore(memory);
  const noted = notingTime();
  const owner = { command: 'sluice apply', owner: 'ada', host: 'runner', pid: 1, since: '2026-01-02T12:00:00.000Z' };
  const taken = await takeLease(inner, { owner, timing, time: noted, patience: 0 });
  let asked = 0;
  const store = {
    ...inner,
    swap: (...given: Parameters<typeof inner.swap>) =>
      asked++ < times ? Promise.resolve(answer) : inner.swap(...given),
  };
  // The next heartbeat is not due while a test runs.
  const sleep: LeaseTime['sleep'] = (ms, signal) =>
    ms > 2_000 ? machineTime.sleep(ms, signal) : noted.sleep(ms, signal);
  const kept: KeptLease = await keepInThisThread(store, taken, timing, { ...noted, sleep });
  const token = (): string | null => leaseIn(memory.objects.get('lease')!.bytes, 'memory').token;
  return { kept, token, time: noted, asked: () => asked };
}

test('a lease is given back to a store that is busy for a moment', async () => {
  const { kept, token, time } = await keptWhere({ is: 'again' }, 4);
  expect([kept.window.state, token() === null]).toEqual(['open', false]);
  await kept.release();
  expect([kept.window.state, token(), time.slept]).toEqual(['lost', null, [200, 400, 800, 1_600]]);
});

test('a lease that cannot be given back within the deadline of the store ends by itself', async () => {
  const { kept, token, time, asked } = await keptWhere({ is: 'unknown', cause: new Error('no answer') }, 20);
  await kept.release();
  expect([kept.window.state, token() === null, asked()]).toEqual(['lost', false, 6]);
  expect(time.now().monotonic).toBe(timing.storeDeadlineMs);
});
