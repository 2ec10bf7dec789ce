/* Writes of a run that a store, or another run, holds up. */
import { expect, test } from 'vitest';
import { emptyState, type StateStoreOptions } from '../../../src/state/store.ts';
import { outageMs, windowMs } from '../../../src/state/lease/lease-timing.ts';
import { usualTiming } from '../../support/usual-timing.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { backendOver, probed, skippingTime } from './backends.ts';
import { memoryStore, sharedMemory } from './memory-store.ts';

const options: StateStoreOptions = {
  lineage: '5c1e7a90',
  account: 'https://api.example.com',
  writer: { version: '0.1.0', command: 'apply' },
};
const empty = emptyState(options.lineage, options.account);

/** A run that has the lock and has read its state, over a store that fails as it is asked. */
async function running(fails: (name: string) => boolean) {
  const memory = sharedMemory();
  const inner = await probed(memoryStore(memory));
  const time = skippingTime();
  const store: RemoteStore = {
    ...inner,
    swap: (name, ...rest) =>
      fails(name) ? Promise.resolve({ is: 'unknown', cause: new Error('no answer') }) : inner.swap(name, ...rest),
  };
  const backend = backendOver(store, { timing: usualTiming, time });
  const lock = await backend.acquireLock('sluice apply');
  const state = backend.stateStore(options, lock);
  await state.load();
  return { memory, time, lock, state, backend };
}

test('a write is made once the whole store is back, though no heartbeat arrived for longer than a write may start', async () => {
  let until = 0;
  let now = (): number => 0;
  const { time, state, lock, backend } = await running(() => now() < until);
  now = () => time.now().monotonic;
  until = now() + (windowMs(usualTiming) + outageMs(usualTiming)) / 2;
  await state.save(empty);
  expect(now()).toBeGreaterThanOrEqual(until);
  await lock.release();
  expect((await backend.stateStore(options).load())?.serial).toBe(1);
});

test('a write is not tried for as long as an outage may last once another run has the lease', async () => {
  let isDown = false;
  let tries = 0;
  const { memory, state } = await running((name) => {
    if (!isDown || name === 'lease') return false;
    tries += 1;
    memory.objects.set('lease', { ...memory.objects.get('lease')!, version: 'of another run' });
    return true;
  });
  isDown = true;
  await expect(state.save(empty)).rejects.toMatchObject({ code: expect.any(String) as string });
  expect(tries).toBeLessThan(20);
});

test('a journal that another run has removed while it was sealed ends the run: the lease is lost', async () => {
  const { memory, state, lock } = await running(() => false);
  const record = state.recorder(empty);
  const entry = { kind: 'ReservedAddr', id: 'ra_1', spec: {}, protect: false, retain: false };
  for (const name of ['a', 'b']) await record({ entries: { [`ReservedAddr/${name}`]: entry }, intents: {} });
  await lock.release();
  const inner = memoryStore(memory);
  const store: RemoteStore = {
    ...inner,
    swap: (name, ...rest) =>
      name.startsWith('journal/') ? Promise.resolve({ is: 'conflict' }) : inner.swap(name, ...rest),
  };
  const backend = backendOver(store, { timing: usualTiming, time: skippingTime() });
  const next = await backend.acquireLock('sluice apply');
  await expect(backend.stateStore(options, next).load()).rejects.toMatchObject({ code: 'LOCK_LOST' });
  await next.release();
});

test('a backup that is under way is awaited though the list of the others fails: nothing is written later', async () => {
  const inner = await probed(memoryStore(sharedMemory()));
  const ended: string[] = [];
  let fails = false;
  const store: RemoteStore = {
    ...inner,
    list: (prefix) =>
      fails && prefix === 'backups/' ? Promise.reject(new Error('the list is not available')) : inner.list(prefix),
    swap: async (name, ...rest) => {
      if (name.startsWith('backups/')) await new Promise((turn) => setTimeout(turn, 5));
      const swapped = await inner.swap(name, ...rest);
      if (name !== 'lease') ended.push(name.split('/')[0] ?? '');
      return swapped;
    },
  };
  const backend = backendOver(store, { timing: usualTiming, time: skippingTime() });
  const lock = await backend.acquireLock('sluice apply');
  const first = backend.stateStore(options, lock);
  await first.load();
  await first.save(empty);
  await lock.release();
  const again = await backend.acquireLock('sluice apply');
  const state = backend.stateStore(options, again);
  await state.load();
  fails = true;
  ended.length = 0;
  await expect(state.save(empty)).rejects.toThrow('the list is not available');
  expect(ended).toEqual(['backups']);
  await again.release();
});
