import { expect, test } from 'vitest';
import { usualTiming as timing } from '../../support/usual-timing.ts';
import { leaseBytes } from '../../../src/state/remote/lease-record.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { unsettled } from '../../../src/state/remote/settled-swap.ts';
import { takeLease, type LeaseRequest } from '../../../src/state/remote/take-lease.ts';
import { memoryStore, sharedMemory } from './memory-store.ts';
import { notingTime } from './noting-time.ts';

function request(command: string, facts: Partial<LeaseRequest> = {}): LeaseRequest {
  const owner = { command, owner: 'ada', host: 'runner', pid: 1, since: '2026-01-02T12:00:00.000Z' };
  return { owner, timing, time: notingTime(), patience: 0, ...facts };
}

test('a run that waits ends at the moment at which its last look at the lease is one lease duration old', async () => {
  const inner = memoryStore(sharedMemory());
  await takeLease(inner, request('sluice apply'));
  let reads = 0;
  const store: RemoteStore = {
    ...inner,
    read: (name) => (++reads > 1 ? Promise.reject(unsettled(inner, new Error('no answer'))) : inner.read(name)),
  };
  const time = notingTime();
  const taken = takeLease(store, request('sluice destroy', { time }));
  await expect(taken).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(time.now().monotonic).toBe(timing.durationMs);
});

test('the lease of a run that was killed is taken at the end of its duration, without a heartbeat seen', async () => {
  const store = memoryStore(sharedMemory());
  await takeLease(store, request('sluice apply'));
  const time = notingTime();
  let heartbeats = 0;
  const onHeartbeat = (): void => void (heartbeats += 1);
  const taken = await takeLease(store, request('sluice destroy', { time, onHeartbeat }));
  expect([taken.record.fence, time.now().monotonic, heartbeats]).toEqual([2, timing.durationMs, 0]);
});

test('each heartbeat of the holder is told to who waits, who gives up once its patience is over', async () => {
  const memory = sharedMemory();
  const store = memoryStore(memory);
  const { record } = await takeLease(store, request('sluice apply'));
  const time = notingTime((now) => {
    if (now % 10_000 === 0)
      memory.objects.set('lease', { bytes: leaseBytes(record), version: `v${++memory.versions}` });
  });
  const heartbeats: number[] = [];
  const onHeartbeat = (quietMs: number): void => void heartbeats.push(quietMs);
  const taken = takeLease(store, request('sluice destroy', { time, patience: 35_000, onHeartbeat }));
  await expect(taken).rejects.toMatchObject({ code: 'LOCK_HELD' });
  expect([heartbeats, time.now().monotonic]).toEqual([[0, 0, 0], 35_000]);
});

test('the lease is read while the store tells which timeline it is on: a free lease takes four round trips', async () => {
  const inner = memoryStore(sharedMemory());
  let [open, roundTrips] = [0, 0];
  const counted = async <T>(answer: Promise<T>): Promise<T> => {
    if (open === 0) roundTrips += 1;
    open += 1;
    try {
      return await answer;
    } finally {
      await new Promise((turn) => setImmediate(turn));
      open -= 1;
    }
  };
  const store: RemoteStore = {
    ...inner,
    timeline: () => counted(inner.timeline()),
    read: (name) => counted(inner.read(name)),
    list: (prefix) => counted(inner.list(prefix)),
    swap: (...given) => counted(inner.swap(...given)),
  };
  await takeLease(store, request('sluice apply'));
  expect(roundTrips).toBe(4);
});
