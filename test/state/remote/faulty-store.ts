import { StateError } from '../../../src/diagnostics/errors.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { memoryStore, type SharedMemory } from './memory-store.ts';
import type { Process, World } from './world.ts';

/** How often, of a hundred, something goes wrong with a request. */
export interface StoreFaults {
  readonly requestLost: number;
  readonly answerLost: number;
  /** It is carried out long after its caller has given up. */
  readonly late: number;
  /** It is carried out again, long after it was answered. */
  readonly twice: number;
}

/** A store at the other end of a network. It knows nothing of who asks: only versions keep an old holder out. */
export function faultyStore(
  world: World,
  memory: SharedMemory,
  process: Process,
  faults: StoreFaults,
  deadlineMs: number,
): RemoteStore {
  const inner = memoryStore(memory);
  const lost = new StateError('STORE_UNAVAILABLE', 'no answer');

  /** Carries a request out and answers it, unless something comes between; undefined: nobody knows. */
  async function exchange<T>(work: () => T): Promise<{ readonly answer: T } | undefined> {
    const draw = world.random() * 100;
    const there = 5 + world.random() * 200;
    const sent = world.now();
    const limit = sent + deadlineMs;
    if (draw < faults.requestLost) {
      await process.wake(limit);
      return undefined;
    }
    const isLate = draw < faults.requestLost + faults.late;
    if (draw >= 100 - faults.twice) world.at(limit + 10_000, () => void work());
    const arrives = isLate ? limit + world.random() * 20_000 : sent + there;
    let answer: { readonly answer: T } | undefined;
    world.at(arrives, () => (answer = { answer: work() }));
    if (isLate || draw < faults.requestLost + faults.late + faults.answerLost) {
      await process.wake(limit);
      return undefined;
    }
    await process.wake(arrives + 5 + world.random() * 200);
    return answer;
  }

  async function ask<T>(work: () => T): Promise<T> {
    const found = await exchange(work);
    if (found === undefined) throw lost;
    return found.answer;
  }

  return {
    ...inner,
    read: (name) => ask(() => memory.objects.get(name)),
    swap: async (name, expected, bytes) => {
      const copy = Buffer.from(bytes);
      const found = await exchange(() => {
        if (memory.objects.get(name)?.version !== expected) return { is: 'conflict' as const };
        const version = `v${++memory.versions}`;
        memory.objects.set(name, { bytes: copy, version });
        memory.onSwap?.(name, copy);
        return { is: 'done' as const, version };
      });
      return found?.answer ?? { is: 'unknown', cause: lost };
    },
    list: (prefix) => ask(() => [...memory.objects.keys()].filter((name) => name.startsWith(prefix))),
    remove: (names) =>
      ask(() => {
        for (const name of names) memory.objects.delete(name);
      }),
    timeline: () => ask(() => memory.timeline),
  };
}
