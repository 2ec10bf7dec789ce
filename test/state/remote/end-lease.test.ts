import { expect, test } from 'vitest';
import { endLease } from '../../../src/state/remote/end-lease.ts';
import { leaseBytes, leaseIn, type LeaseRecord } from '../../../src/state/remote/lease-record.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { replaceLease, unusableLease } from '../../../src/state/remote/unusable-lease.ts';
import { memoryStore, sharedMemory } from './memory-store.ts';
import { notingTime } from './noting-time.ts';

const ofAda: LeaseRecord = {
  lease: 1,
  id: '',
  token: 'ada',
  fence: 3,
  folded_through: 2,
  state: null,
  timeline: '1',
  duration_ms: 60_000,
  heartbeat: 0,
  owner: { command: 'sluice apply', owner: 'ada', host: 'runner', pid: 1, since: '2026-01-02T12:00:00.000Z' },
};

/** A store with a lease, or none, which may be written again. */
function storeWith(lease: Partial<LeaseRecord> | undefined) {
  const memory = sharedMemory();
  const put = (facts: Partial<LeaseRecord>): void => {
    memory.objects.set('lease', { bytes: leaseBytes({ ...ofAda, ...facts }), version: `v${++memory.versions}` });
  };
  if (lease !== undefined) put(lease);
  const stored = (): LeaseRecord | undefined => {
    const found = memory.objects.get('lease');
    return found && leaseIn(found.bytes, 'memory');
  };
  return { store: memoryStore(memory), put, stored, versions: () => memory.versions };
}

test('the lease of a run that was killed ends once it has not changed for its whole duration', async () => {
  const { store, stored } = storeWith({});
  const time = notingTime((now) => {
    if (now < 60_000) expect(stored()?.token).toBe('ada');
  });
  await endLease(store, ofAda, { time, waits: true });
  expect(stored()).toMatchObject({ token: null, owner: null, fence: 4, folded_through: 2 });
  expect(new Set(time.slept)).toEqual(new Set([1_000]));
  expect(time.now().monotonic).toBe(60_000);
});

test('a short lease is refreshed twenty times while it lasts', async () => {
  const short = { ...ofAda, duration_ms: 2_000 };
  const { store, stored } = storeWith(short);
  const time = notingTime();
  await endLease(store, short, { time, waits: true });
  expect([time.slept.length, stored()?.token]).toEqual([20, null]);
});

test('it ends at once where a person does not wait, although a heartbeat comes in between', async () => {
  const { store: inner, stored, put } = storeWith({});
  let isFirst = true;
  const store: RemoteStore = {
    ...inner,
    swap: (...given) => {
      if (isFirst) put({ heartbeat: 1 });
      isFirst = false;
      return inner.swap(...given);
    },
  };
  const time = notingTime();
  await endLease(store, ofAda, { time, waits: false });
  expect(stored()).toMatchObject({ token: null, fence: 4, heartbeat: 1 });
  expect(time.slept).toEqual([]);
});

test('the lease of a run that sends a heartbeat meanwhile does not end', async () => {
  const { store, stored, put } = storeWith({});
  const time = notingTime((now) => {
    if (now === 59_000) put({ heartbeat: 1 });
  });
  await expect(endLease(store, ofAda, { time, waits: true })).rejects.toMatchObject({ code: 'LOCK_HELD' });
  expect(stored()).toMatchObject({ token: 'ada', fence: 3 });
});

test.each<[string, Partial<LeaseRecord> | undefined]>([
  ['was released', { token: null, owner: null }],
  ['another run has taken', { token: 'bob', fence: 4 }],
  ['is gone', undefined],
])('a lease that %s is left as it is', async (_, lease) => {
  for (const waits of [true, false]) {
    const { store, versions } = storeWith(lease);
    const before = versions();
    const time = notingTime();
    await endLease(store, ofAda, { time, waits });
    expect([versions(), time.slept]).toEqual([before, []]);
  }
});

test('a lease that another run takes while its end is awaited is left to that run', async () => {
  const { store, stored, put } = storeWith({});
  const time = notingTime((now) => {
    if (now === 30_000) put({ token: 'bob', fence: 4 });
  });
  await endLease(store, ofAda, { time, waits: true });
  expect(stored()).toMatchObject({ token: 'bob', fence: 4 });
  expect(time.now().monotonic).toBe(30_000);
});

test('a lease that changes before each try to end it is no longer tried', async () => {
  const { store: inner, stored, put } = storeWith({});
  const store: RemoteStore = {
    ...inner,
    swap: (...given) => {
      put({});
      return inner.swap(...given);
    },
  };
  await expect(endLease(store, ofAda, { time: notingTime(), waits: false })).rejects.toMatchObject({
    code: 'STATE_CHANGED',
  });
  expect(stored()?.token).toBe('ada');
});

test('a store that gives no answer is asked for the duration of the lease, and then said to be unavailable', async () => {
  const { store: inner } = storeWith({});
  const cause = new Error('no answer');
  const store: RemoteStore = { ...inner, swap: () => Promise.resolve({ is: 'unknown', cause }) };
  const time = notingTime();
  await expect(endLease(store, ofAda, { time, waits: false })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(time.now().monotonic).toBeGreaterThanOrEqual(60_000);
  expect(time.now().monotonic).toBeLessThan(63_000);
});

test('a lease that is damaged ends after the duration of its holder, as far as that can be read', async () => {
  const { store } = storeWith({ ...ofAda, duration_ms: 600_000 });
  const { bytes } = (await store.read('lease')) ?? { bytes: new Uint8Array() };
  const swapped = await store.swap('lease', 'v1', bytes.subarray(0, -20));
  expect(swapped.is).toBe('done');
  const found = await unusableLease(store);
  const time = notingTime();
  if (found !== undefined) await replaceLease(store, found, { time, waits: true, durationMs: 60_000 });
  expect([found?.record, time.now().monotonic]).toEqual([undefined, 600_000]);
});
