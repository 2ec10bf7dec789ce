import { expect, test } from 'vitest';
import { usualTiming as timing } from '../../../src/state/lease/lease-timing.ts';
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
