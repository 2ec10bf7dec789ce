import { expect, test } from 'vitest';
import { StoreNotAllowed, StoreRefused } from '../../../src/diagnostics/errors.ts';
import { machineTime, type LeaseTime } from '../../../src/state/lease/lease-time.ts';
import { usualTiming as timing } from '../../support/usual-timing.ts';
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
  const kept: KeptLease = keepInThisThread(store, taken, timing, { ...noted, sleep });
  const token = (): string | null => leaseIn(memory.objects.get('lease')!.bytes, 'memory').token;
  return { kept, token, time: noted, asked: () => asked };
}

test('a lease is given back to a store that is busy for a moment', async () => {
  const { kept, token, time } = await keptWhere({ is: 'again' }, 4);
  expect([kept.window.state, token() === null]).toEqual(['open', false]);
  await kept.release();
  expect([kept.window.state, token(), time.slept]).toEqual(['lost', null, [200, 400, 800, 1_600]]);
});

test('a lease that cannot be given back within the deadline of the store expires', async () => {
  const { kept, token, time, asked } = await keptWhere({ is: 'unknown', cause: new Error('no answer') }, 20);
  await kept.release();
  expect([kept.window.state, token() === null, asked()]).toEqual(['lost', false, 6]);
  expect(time.now().monotonic).toBe(timing.storeDeadlineMs);
});

/** A lease whose heartbeats get no answer; what is asked for the 500th time, and later, is refused. */
async function keptWithoutAnswers(onAsked: (asked: number, kept: () => KeptLease) => void) {
  const inner = memoryStore(sharedMemory());
  const time = notingTime();
  const owner = { command: 'sluice apply', owner: 'ada', host: 'runner', pid: 1, since: '2026-01-02T12:00:00.000Z' };
  const taken = await takeLease(inner, { owner, timing, time, patience: 0 });
  let asked = 0;
  const swap = (): Promise<SwapResult> => {
    onAsked(++asked, () => kept);
    if (asked >= 500) return Promise.reject(new Error('asked too often'));
    return Promise.resolve({ is: 'unknown', cause: new Error('no answer') });
  };
  const kept: KeptLease = keepInThisThread({ ...inner, swap }, taken, timing, time);
  return { kept, time };
}

test('heartbeats without an answer are tried again until the outage is too long', async () => {
  const { kept, time } = await keptWithoutAnswers(() => undefined);
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(kept.window.state).toBe('over');
  expect(time.now().monotonic).toBeGreaterThanOrEqual(120_000);
  expect(time.now().monotonic).toBeLessThan(123_000);
});

test('a heartbeat without an answer keeps no run from ending', async () => {
  let released: Promise<void> | undefined;
  const { time } = await keptWithoutAnswers((asked, kept) => {
    if (asked === 3) released = kept().release();
  });
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  await released;
  expect(time.now().monotonic).toBeLessThan(timing.heartbeatMs + 2 * timing.storeDeadlineMs);
});

test.each([
  ['whose credentials are refused', new StoreNotAllowed('STORE_ACCESS_DENIED', 'refused')],
  ['that is refused', new StoreRefused('STORE_REQUEST_REFUSED', 'refused')],
  ['that fails in any other way', new Error('broken')],
])('a heartbeat %s is tried again after a quarter of the time between two', async (_, error) => {
  const inner = memoryStore(sharedMemory());
  const time = notingTime();
  const owner = { command: 'sluice apply', owner: 'ada', host: 'runner', pid: 1, since: '2026-01-02T12:00:00.000Z' };
  const taken = await takeLease(inner, { owner, timing, time, patience: 0 });
  let asked = 0;
  const swap: typeof inner.swap = (...given) => (++asked > 3 ? inner.swap(...given) : Promise.reject(error));
  const kept = keepInThisThread({ ...inner, swap }, taken, timing, {
    ...time,
    sleep: (ms, signal) => (asked > 3 ? machineTime.sleep(ms, signal) : time.sleep(ms)),
  });
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect([asked, time.slept, kept.window.state]).toEqual([4, [10_000, 2_500, 2_500, 2_500], 'open']);
  await kept.release();
});

test('a heartbeat that is always refused is no longer tried once the outage is too long', async () => {
  const inner = memoryStore(sharedMemory());
  const time = notingTime();
  const owner = { command: 'sluice apply', owner: 'ada', host: 'runner', pid: 1, since: '2026-01-02T12:00:00.000Z' };
  const taken = await takeLease(inner, { owner, timing, time, patience: 0 });
  const swap = (): Promise<SwapResult> => Promise.reject(new StoreRefused('STORE_REQUEST_REFUSED', 'refused'));
  const kept = keepInThisThread({ ...inner, swap }, taken, timing, time);
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect([kept.window.state, time.now().monotonic]).toEqual(['over', 120_000]);
});
