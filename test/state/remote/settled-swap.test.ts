import { expect, test } from 'vitest';
import { StoreRefused } from '../../../src/diagnostics/errors.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { settledSwap } from '../../../src/state/remote/settled-swap.ts';
import { memoryStore, sharedMemory } from './memory-store.ts';
import { notingTime } from './noting-time.ts';

const swap = { name: 'state', expected: undefined, bytes: Buffer.from('mine') };

test('a busy store is asked again after pauses that double, up to two seconds', async () => {
  const inner = memoryStore(sharedMemory());
  const time = notingTime();
  const store: RemoteStore = {
    ...inner,
    swap: (...given) => (time.slept.length < 7 ? Promise.resolve({ is: 'again' }) : inner.swap(...given)),
  };
  expect(await settledSwap(store, swap, { time, mayGoOn: () => true })).toMatchObject({ version: 'v1' });
  expect(time.slept).toEqual([200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
});

test('a write that was carried out without an answer counts from its first try, and is not made twice', async () => {
  const memory = sharedMemory();
  const inner = memoryStore(memory);
  const time = notingTime();
  const cause = new Error('no answer');
  let reads = 0;
  const store: RemoteStore = {
    ...inner,
    swap: async (...given) => {
      const answer = await inner.swap(...given);
      return answer.is === 'done' ? { is: 'unknown', cause } : answer;
    },
    read: (name) => (++reads < 3 ? Promise.reject(cause) : inner.read(name)),
  };
  const settled = await settledSwap(store, swap, { time, mayGoOn: () => true });
  expect(settled).toEqual({ version: 'v1', sentAt: { monotonic: 0, wall: 0 } });
  expect([time.slept.length, memory.versions]).toEqual([2, 1]);
});

test('where another value is in place, there is nothing to try again, whether the store reports that or it is read', async () => {
  const memory = sharedMemory();
  const inner = memoryStore(memory);
  await inner.swap('state', undefined, Buffer.from('theirs'));
  const time = notingTime();
  const silent: RemoteStore = {
    ...inner,
    swap: () => Promise.resolve({ is: 'unknown', cause: new Error('no answer') }),
  };
  for (const store of [inner, silent])
    expect(await settledSwap(store, swap, { time, mayGoOn: () => true })).toBeUndefined();
  expect(time.slept).toEqual([]);
});

test('a store that refuses a second try, and shows what was there before, is accepted', async () => {
  const answers = [{ is: 'unknown', cause: new Error('no answer') }, { is: 'conflict' }] as const;
  let tries = 0;
  const store: RemoteStore = {
    ...memoryStore(sharedMemory()),
    swap: () => Promise.resolve(answers[tries++] ?? { is: 'again' }),
  };
  const time = notingTime();
  expect(await settledSwap(store, swap, { time, mayGoOn: () => tries < 5 })).toBeUndefined();
  expect([tries, time.slept]).toEqual([2, [200]]);
});

test('a write that was carried out, and repeated by a proxy that reports the refusal of the repetition, is done', async () => {
  const inner = memoryStore(sharedMemory());
  const store: RemoteStore = {
    ...inner,
    swap: async (...given) => {
      await inner.swap(...given);
      return inner.swap(...given);
    },
  };
  const settled = await settledSwap(store, swap, { time: notingTime(), mayGoOn: () => true });
  expect(settled).toMatchObject({ version: 'v1' });
});

test('a store that cannot be written for a moment is asked again, and its refusal is the error where that lasts', async () => {
  const cause = new StoreRefused('STORE_READ_ONLY', 'the state store is read-only');
  const store: RemoteStore = {
    ...memoryStore(sharedMemory()),
    swap: () => Promise.resolve({ is: 'again', cause }),
    read: () => Promise.reject(new Error('not asked')),
  };
  let tries = 0;
  const patience = { time: notingTime(), mayGoOn: () => ++tries < 3 };
  await expect(settledSwap(store, swap, patience)).rejects.toBe(cause);
  expect(tries).toBe(3);
});
