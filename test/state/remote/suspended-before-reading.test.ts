import { expect, test } from 'vitest';
import { LockHeld } from '../../../src/diagnostics/errors.ts';
import type { Backend } from '../../../src/state/backend.ts';
import { usualTiming as timing } from '../../support/usual-timing.ts';
import { machineTime } from '../../../src/state/lease/lease-time.ts';
import { emptyState, type StateStoreOptions } from '../../../src/state/store.ts';
import { backendOver, skippingTime } from './backends.ts';
import { memoryStore, sharedMemory } from './memory-store.ts';

const options: StateStoreOptions = {
  lineage: '5c1e7a90',
  account: 'https://api.example.com',
  writer: { version: '0.1.0', command: 'apply' },
};

/** Takes the lock, waiting for a dead holder without time passing, and changes the stored state with it. */
async function withLock(memory: ReturnType<typeof sharedMemory>, change: (backend: Backend) => Promise<void>) {
  const backend = backendOver(memoryStore(memory), { timing, time: skippingTime(), heartbeats: machineTime });
  const lock = await backend.acquireLock('sluice apply');
  const store = backend.stateStore(options, lock);
  const state = (await store.load()) ?? emptyState(options.lineage, options.account);
  await store.save(state);
  await store.close();
  await change(backend);
  await lock.release();
}

const nothingMore = (): Promise<void> => Promise.resolve();

test.each([
  ['applied', (memory) => withLock(memory, nothingMore)],
  ['moved the state away', (memory) => withLock(memory, (backend) => backend.moveAway('s3://new/place', options))],
  [
    'removed the state',
    async (memory) => {
      await withLock(memory, nothingMore);
      const backend = backendOver(memoryStore(memory), { timing, time: skippingTime(), heartbeats: machineTime });
      await backend.removeAll(options, {});
    },
  ],
] satisfies [string, (memory: ReturnType<typeof sharedMemory>) => Promise<void>][])(
  'a run that was suspended between taking the lock and reading the state, while another one has %s, has lost the lock',
  async (_, meanwhile) => {
    const memory = sharedMemory();
    await withLock(memory, nothingMore);
    // A heartbeat is due in seconds: for as long as this test takes, this run sends none.
    const suspended = backendOver(memoryStore(memory), { timing });
    const lock = await suspended.acquireLock('sluice apply');
    await meanwhile(memory);

    const read = suspended.stateStore(options, lock).load();
    await expect(read).rejects.toMatchObject({ code: 'LOCK_LOST' });
    await expect(read).rejects.toBeInstanceOf(LockHeld);
    expect(lock.isMine()).toBe(false);
    await lock.release();
  },
);

test('a state that a later run wrote, under a lease that is still held, is an old lease from a backup', async () => {
  const memory = sharedMemory();
  await withLock(memory, nothingMore);
  const lease = memory.objects.get('lease');
  await withLock(memory, nothingMore);
  await withLock(memory, nothingMore);
  for (const name of memory.objects.keys()) if (name.startsWith('journal/')) memory.objects.delete(name);
  if (lease !== undefined) memory.objects.set('lease', lease);

  const backend = backendOver(memoryStore(memory), { timing });
  const lock = await backend.acquireLock('sluice apply');
  await expect(backend.stateStore(options, lock).load()).rejects.toMatchObject({ code: 'LEASE_OUTDATED' });
  await lock.release();
});
