import { expect, test } from 'vitest';
import { LockHeld, StateError } from '../../../src/diagnostics/errors.ts';
import { machineTime, type LeaseTime } from '../../../src/state/lease/lease-time.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { emptyState, type StateStoreOptions } from '../../../src/state/store.ts';
import { backendOver, probed, skippingTime } from './backends.ts';
import { memoryStore, sharedMemory } from './memory-store.ts';

const options: StateStoreOptions = {
  lineage: '5c1e7a90',
  account: 'https://api.example.com',
  writer: { version: '0', command: 'apply' },
};

// A run that was stopped does not notice yet that its lock was taken over.
const heartbeats: LeaseTime = { ...machineTime, sleep: () => new Promise(() => undefined) };

async function runOver(store: RemoteStore) {
  const backend = backendOver(store, { time: skippingTime(), heartbeats });
  const lock = await backend.acquireLock('sluice apply');
  const state = backend.stateStore(options, lock);
  const recorded: string[] = [];
  let write: ReturnType<typeof state.recorder> | undefined;
  const load = async (): Promise<readonly string[]> => {
    const loaded = (await state.load()) ?? emptyState(options.lineage, options.account);
    write = state.recorder(loaded);
    return Object.keys(loaded.entries);
  };
  const record = async (name: string): Promise<void> => {
    const entry = { kind: 'ReservedAddr', id: name, spec: {}, protect: false, retain: false };
    await write?.({ entries: { [name]: entry }, intents: {} });
    recorded.push(name);
  };
  return { backend, lock, load, record, recorded, close: () => state.close() };
}

/** What is done before the request of this number; the requests are counted from `begin` on. */
function interrupted(store: RemoteStore, number: number) {
  const at = { count: -Infinity, work: (): Promise<unknown> => Promise.resolve() };
  const asking =
    <A extends unknown[], T>(ask: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      if (at.count++ === number) await at.work().catch(() => undefined);
      return ask(...given);
    };
  const { read, swap, list } = store;
  return { at, store: { ...store, read: asking(read), swap: asking(swap), list: asking(list) } };
}

type Run = Awaited<ReturnType<typeof runOver>>;

const late: Readonly<Record<string, (former: Run) => Promise<unknown>>> = {
  'puts its journal into the state': ({ close }) => close(),
  'records once more, and puts its journal into the state': ({ record, close }) => record('late').then(close),
  'records twice more': ({ record }) => record('late').then(() => record('later')),
};

const numbers = Array.from({ length: 16 }, (_, n) => n);

for (const [does, work] of Object.entries(late))
  test.each([[[]], [['a', 'b', 'c']]])(
    `a run that takes over goes on if the one before, with %j recorded, ${does} meanwhile`,
    async (before) => {
      const ended: unknown[] = [];
      for (const number of numbers) {
        const memory = sharedMemory();
        const store = await probed(memoryStore(memory));
        const former = await runOver(store);
        await former.load();
        for (const name of before) await former.record(name);
        await (await former.backend.lockHolder())?.release({ now: true });
        const { at, store: asked } = interrupted(store, number);
        const next = await runOver(asked);
        Object.assign(at, { count: 0, work: () => work(former) });
        const end = await next.load().then(
          async (names) => {
            expect([...names].sort()).toEqual([...former.recorded].sort());
            await next.record('of-the-next');
            await expect(former.record('too-late')).rejects.toMatchObject({ code: 'LOCK_LOST' });
            await next.close();
          },
          (error: unknown) => error,
        );
        if (end !== undefined) ended.push([number, end]);
      }
      expect(ended).toEqual([]);
    },
  );

test('a run that could not tell, while it took over, whether the lock was still its own reads again once the store answers', async () => {
  const store = await probed(memoryStore(sharedMemory()));
  const former = await runOver(store);
  await former.load();
  for (const name of ['a', 'b']) await former.record(name);
  await (await former.backend.lockHolder())?.release({ now: true });
  let isFirst = true;
  let isDown = false;
  const next = await runOver({
    ...store,
    read: (name) => (isDown ? Promise.reject(new StateError('STORE_UNAVAILABLE', 'no answer')) : store.read(name)),
    swap: async (...given) => {
      if (given[0] !== 'state' || !isFirst) return store.swap(...given);
      isFirst = false;
      await former.close();
      isDown = true;
      return store.swap(...given);
    },
  });
  await expect(next.load()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  isDown = false;
  expect(await next.load()).toEqual(['a', 'b']);
  await next.record('c');
  await next.close();
  expect(Object.keys((await next.backend.stateStore(options).load())?.entries ?? {})).toEqual(['a', 'b', 'c']);
});

test('a run before that changes the state again and again is at work: the state of one that takes over is not unreadable', async () => {
  const store = await probed(memoryStore(sharedMemory()));
  const former = await runOver(store);
  await former.load();
  for (const name of ['a', 'b']) await former.record(name);
  await (await former.backend.lockHolder())?.release({ now: true });
  let isAtWork = true;
  const next = await runOver({
    ...store,
    swap: async (...given) => {
      const there = await store.read('state');
      if (given[0] === 'state' && isAtWork) await store.swap('state', there?.version, there?.bytes ?? Buffer.of());
      return store.swap(...given);
    },
  });
  const error: unknown = await next.load().catch((problem: unknown) => problem);
  expect(error).toMatchObject({ code: 'STATE_CHANGED' });
  expect(error).toBeInstanceOf(LockHeld);
  isAtWork = false;
  expect(await next.load()).toEqual(['a', 'b']);
});

test('the clock of a run that takes over stands still, and the state is written once meanwhile: the second backup is kept beside the first', async () => {
  const memory = sharedMemory();
  const store = await probed(memoryStore(memory));
  const former = await runOver(store);
  await former.load();
  for (const name of ['a', 'b']) await former.record(name);
  await (await former.backend.lockHolder())?.release({ now: true });
  let isFirst = true;
  const backend = backendOver({
    ...store,
    swap: async (...given) => {
      const there = await store.read('state');
      if (given[0] === 'state' && isFirst) await store.swap('state', there?.version, there?.bytes ?? Buffer.of());
      isFirst &&= given[0] !== 'state';
      return store.swap(...given);
    },
  });
  const state = backend.stateStore({ ...options, now: () => new Date(0) }, await backend.acquireLock('sluice apply'));
  expect(Object.keys((await state.load())?.entries ?? {})).toEqual(['a', 'b']);
  expect([...memory.objects.keys()].filter((name) => name.startsWith('backups/19700101'))).toHaveLength(2);
});
