import { expect, test } from 'vitest';
import { probeStore, requireProbed } from '../../../src/state/remote/probe-store.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { memoryStore, sharedMemory } from './memory-store.ts';

/** A store that gives what replaces an object the version of that object. */
function sameVersions(): Partial<RemoteStore> {
  const objects = new Map<string, Uint8Array>();
  return {
    swap: (name, expected, bytes) => {
      if (objects.has(name) !== (expected !== undefined)) return Promise.resolve({ is: 'conflict' });
      objects.set(name, bytes);
      return Promise.resolve({ is: 'done', version: 'v' });
    },
    read: (name) => {
      const bytes = objects.get(name);
      return Promise.resolve(bytes && { bytes, version: 'v' });
    },
  };
}

/** What the probe finds of a store that makes a mistake, and what it leaves there. */
async function probed(mistake: (store: RemoteStore) => Partial<RemoteStore>) {
  const memory = sharedMemory();
  const store = memoryStore(memory);
  const steps = await probeStore({ ...store, ...mistake(store) });
  return { failed: steps.filter(({ ok }) => !ok).map(({ step }) => step), left: [...memory.objects.keys()] };
}

test('a store that can be used as a lock passes each test, and keeps nothing of them', async () => {
  expect(await probed(() => ({}))).toEqual({ failed: [], left: [] });
});

test.each<[string, (store: RemoteStore) => Partial<RemoteStore>]>([
  [
    'the store refuses to create an object that already exists',
    ({ swap }) => ({
      swap: (name, expected, bytes) => swap(name, expected, bytes).then(() => ({ is: 'done', version: 'v' })),
    }),
  ],
  ['the store returns an object as it was written', () => ({ read: () => Promise.resolve(undefined) })],
  ['the store returns an object as it was written', sameVersions],
  ['the store creates an object that does not exist', () => ({ swap: () => Promise.resolve({ is: 'conflict' }) })],
])('a store fails the test "%s", and no later one is tried', async (step, mistake) => {
  expect(await probed(mistake)).toMatchObject({ failed: [step] });
});

test('a store that is busy has not failed: it is asked again', async () => {
  let asked = 0;
  const busy = ({ swap }: RemoteStore): Partial<RemoteStore> => ({
    swap: (...given) => (++asked < 3 ? Promise.resolve({ is: 'again' }) : swap(...given)),
  });
  expect(await probed(busy)).toEqual({ failed: [], left: [] });
});

test('a store that becomes unavailable is not reported to have failed a test, and keeps nothing of them', async () => {
  const memory = sharedMemory();
  const inner = memoryStore(memory);
  const cause = new Error('no answer');
  let swaps = 0;
  const store: RemoteStore = {
    ...inner,
    swap: (...given) => (++swaps > 3 ? Promise.resolve({ is: 'unknown', cause }) : inner.swap(...given)),
  };
  await expect(requireProbed(store)).rejects.toBe(cause);
  expect([...memory.objects.keys()]).toEqual([]);
});

test('a store is probed when it is used first, and not again', async () => {
  const memory = sharedMemory();
  let swaps = 0;
  const counting = (memory: ReturnType<typeof sharedMemory>): RemoteStore => {
    const store = memoryStore(memory);
    return { ...store, swap: (...given) => ((swaps += 1), store.swap(...given)) };
  };
  await requireProbed(counting(memory));
  expect([...memory.objects.keys()]).toEqual(['probe']);
  const before = swaps;
  await requireProbed(counting(memory));
  expect([before > 1, swaps]).toEqual([true, before]);
});

test('what was copied to another store is probed there, and in the first one not again', async () => {
  const memory = sharedMemory();
  const first = memoryStore(memory);
  await requireProbed(first);
  const elsewhere: RemoteStore = { ...first, location: 's3://copy/states (other.example.com)' };
  const ignoring: RemoteStore = {
    ...elsewhere,
    swap: (name, _, bytes) => elsewhere.read(name).then((found) => elsewhere.swap(name, found?.version, bytes)),
  };
  await expect(requireProbed(ignoring)).rejects.toMatchObject({ code: 'STORE_CANNOT_SWAP' });
  await requireProbed(elsewhere);
  const unused: RemoteStore['swap'] = () => Promise.reject(new Error('probed again'));
  for (const store of [first, elsewhere]) await requireProbed({ ...store, swap: unused });
});

test('a store that fails is refused, and probed again the next time', async () => {
  const memory = sharedMemory();
  const store: RemoteStore = { ...memoryStore(memory), swap: () => Promise.resolve({ is: 'conflict' }) };
  await expect(requireProbed(store)).rejects.toMatchObject({
    code: 'STORE_CANNOT_SWAP',
    message: expect.stringContaining('it fails the test "the store creates an object that does not exist"') as string,
  });
  expect([...memory.objects.keys()]).toEqual([]);
});
