import type { RemoteStore, StoredObject } from '../../../src/state/remote/remote-store.ts';

/** A store in memory, that several stores of one test look into. */
export interface SharedMemory {
  readonly objects: Map<string, StoredObject>;
  versions: number;
  timeline: string;
  /** Called for each swap that is carried out. */
  onSwap?: (name: string, bytes: Uint8Array) => void;
}

/** An empty one. */
export function sharedMemory(): SharedMemory {
  return { objects: new Map(), versions: 0, timeline: '1' };
}

/** One client of it: answers at once, and always rightly. */
export function memoryStore(memory: SharedMemory): RemoteStore {
  const { objects } = memory;
  return {
    location: 'memory',
    read: (name) => Promise.resolve(objects.get(name)),
    swap: (name, expected, bytes) => {
      if (objects.get(name)?.version !== expected) return Promise.resolve({ is: 'conflict' });
      const version = `v${++memory.versions}`;
      objects.set(name, { bytes: Buffer.from(bytes), version });
      return Promise.resolve({ is: 'done', version });
    },
    list: (prefix) => Promise.resolve([...objects.keys()].filter((name) => name.startsWith(prefix))),
    remove: (names) => {
      for (const name of names) objects.delete(name);
      return Promise.resolve();
    },
    prepare: () => Promise.resolve(),
    timeline: () => Promise.resolve(memory.timeline),
    close: () => Promise.resolve(),
  };
}
