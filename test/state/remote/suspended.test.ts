/* A run whose process was suspended, or whose clock was set forward, for longer than an outage may last. */
import { expect, onTestFinished, test } from 'vitest';
import { machineTime, type LeaseTime } from '../../../src/state/lease/lease-time.ts';
import { leaseBytes, leaseIn } from '../../../src/state/remote/lease-record.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { backendOver, probed } from './backends.ts';
import { memoryStore, sharedMemory } from './memory-store.ts';

/** A run that has the lock, and is suspended for ten minutes: the monotonic clock stands still, and the other one does not. */
async function suspended(answers: Partial<RemoteStore> = {}) {
  let wall = 0;
  const time: LeaseTime = {
    ...machineTime,
    now: () => ({ ...machineTime.now(), wall }),
  };
  const memory = sharedMemory();
  const inner = await probed(memoryStore(memory));
  const store: RemoteStore = {
    ...inner,
    swap: (...given) => (wall > 0 && answers.swap !== undefined ? answers.swap(...given) : inner.swap(...given)),
  };
  const lock = await backendOver(store, { time }).acquireLock('sluice apply');
  onTestFinished(() => lock.release());
  wall = 600_000;
  expect(lock.isCutOff?.()).toBe(true);
  return { lock, memory };
}

test('ends, whether or not another run has taken over the lock meanwhile: a heartbeat that is under way does not show that', async () => {
  const { lock, memory } = await suspended();
  await expect(lock.untilMayWrite()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  const record = leaseIn(memory.objects.get('lease')!.bytes, 'memory');
  memory.objects.set('lease', { bytes: leaseBytes({ ...record, token: 'of another run' }), version: 'of another run' });
  await expect(lock.untilMayWrite()).rejects.toBeDefined();
  expect(lock.mayWrite()).toBe(false);
});

test('ends, without saying that the store is to blame, if its heartbeat gets no answer then', async () => {
  const { lock } = await suspended({ swap: () => Promise.resolve({ is: 'unknown', cause: new Error('no answer') }) });
  await expect(lock.untilMayWrite()).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringMatching(
      /^no heartbeat has reached the state store memory for 600 s: it did not respond, or the process was suspended$/,
    ) as string,
  });
});
