import { expect, test } from 'vitest';
import { remoteDocument } from '../../../src/state/remote/remote-document.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { unsettled } from '../../../src/state/remote/settled-swap.ts';
import { memoryStore, sharedMemory } from './memory-store.ts';
import { notingTime } from './noting-time.ts';

const name = 'documents/watch-state';

test('a change is made to what the document holds, and a change that came in between is kept', async () => {
  const memory = sharedMemory();
  const inner = memoryStore(memory);
  const theirs = remoteDocument(inner, 'watch-state', notingTime());
  let swaps = 0;
  const store: RemoteStore = {
    ...inner,
    swap: async (...given) => {
      if (++swaps === 1) await theirs.update(() => 'theirs');
      return inner.swap(...given);
    },
  };
  const mine = remoteDocument(store, 'watch-state', notingTime());
  await mine.update((before) => ('text' in before ? `${before.text} and mine` : 'mine alone'));
  expect(await mine.read()).toEqual({ text: 'theirs and mine' });
  expect([mine.location, [...memory.objects.keys()]]).toEqual(['memory, watch-state', [name]]);
});

test('a document that changes before each of fifty tries is left to the others', async () => {
  let tries = 0;
  const store: RemoteStore = {
    ...memoryStore(sharedMemory()),
    swap: () => {
      tries += 1;
      return Promise.resolve({ is: 'conflict' });
    },
  };
  const changing = remoteDocument(store, 'watch-state', notingTime()).update(() => 'mine');
  await expect(changing).rejects.toMatchObject({ code: 'STATE_CHANGED', hint: 'run the command again' });
  expect(tries).toBe(50);
});

test('a store that gives no answer to a change is asked for ten seconds', async () => {
  const store: RemoteStore = {
    ...memoryStore(sharedMemory()),
    swap: () => Promise.resolve({ is: 'unknown', cause: new Error('no answer') }),
  };
  const time = notingTime();
  const changing = remoteDocument(store, 'watch-state', time).update(() => 'mine');
  await expect(changing).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(time.now().monotonic).toBe(200 + 400 + 800 + 1_600 + 4 * 2_000);
});

test('a document that is absent, damaged or out of reach reports which', async () => {
  const memory = sharedMemory();
  const inner = memoryStore(memory);
  const document = remoteDocument(inner, 'watch-state', notingTime());
  expect(await document.read()).toEqual({ code: 'FILE_NOT_FOUND', message: 'does not exist' });
  for (const text of ['', '[]', '{"id":"1"}']) {
    memory.objects.set(name, { bytes: Buffer.from(text), version: 'v1' });
    expect(await document.read()).toEqual({ code: 'INVALID_TEXT', message: 'has invalid content' });
  }
  const outage = unsettled(inner, new Error('no answer'));
  const away = remoteDocument({ ...inner, read: () => Promise.reject(outage) }, 'watch-state', notingTime());
  expect(await away.read()).toEqual({
    code: 'FILE_UNREADABLE',
    message: 'cannot be read (the state store memory is unavailable: no answer)',
  });
  const broken = remoteDocument({ ...inner, read: () => Promise.reject(new TypeError('x')) }, 'a', notingTime());
  await expect(broken.read()).rejects.toThrow(TypeError);
});

test('its version is the last one known while the store is out of reach', async () => {
  const memory = sharedMemory();
  const inner = memoryStore(memory);
  let isAway = false;
  const store: RemoteStore = {
    ...inner,
    read: (given) => (isAway ? Promise.reject(new Error('no answer')) : inner.read(given)),
  };
  const document = remoteDocument(store, 'watch-state', notingTime());
  expect(await document.version()).toBe('absent');
  await document.update(() => 'one');
  expect(await document.version()).toBe('v1');
  isAway = true;
  await remoteDocument(inner, 'watch-state', notingTime()).update(() => 'two');
  expect(await document.version()).toBe('v1');
  isAway = false;
  expect(await document.version()).toBe('v2');
});
