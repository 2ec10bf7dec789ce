import { expect, test } from 'vitest';
import { keepInThisThread } from '../../../src/state/remote/kept-lease.ts';
import { usualTiming as timing } from '../../../src/state/lease/lease-timing.ts';
import { remoteBackend } from '../../../src/state/remote/remote-backend.ts';
import type { Backend } from '../../../src/state/backend.ts';
import { faultyStore } from './faulty-store.ts';
import { sharedMemory, type SharedMemory } from './memory-store.ts';
import { processIn, worldOf, type Process, type World } from './world.ts';

const noFaults = { requestLost: 0, answerLost: 0, late: 0, twice: 0 };
const names = ['ada', 'bob'] as const;

function backendOf(owner: string, process: Process, world: World, memory: SharedMemory): Backend {
  const { time } = process;
  const store = faultyStore(world, memory, process, noFaults, timing.storeDeadlineMs);
  return remoteBackend({
    store,
    timing,
    time,
    owner: { owner, host: owner, pid: 1 },
    keep: (taken) => Promise.resolve(keepInThisThread(store, taken, timing, time)),
  });
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'the lease of a run that was killed is taken over within its duration and one heartbeat (seed %i)',
  async (seed) => {
    const world = worldOf(seed);
    const memory = sharedMemory();
    memory.objects.set('probe', { bytes: Buffer.from('done'), version: 'v0' });
    // Clocks that run ten percent apart.
    const [holder, waiter] = [processIn(world, 1.05), processIn(world, 0.955)];
    const [first, second] = [backendOf(names[0], holder, world, memory), backendOf(names[1], waiter, world, memory)];
    const killedAt = 100_000 + world.random() * 30_000;
    let takenAt: number | undefined;
    void first.acquireLock('sluice apply', { patience: 1e9 });
    world.at(50_000, () => {
      void second.acquireLock('sluice apply', { patience: 1e9 }).then(() => (takenAt = world.now()));
    });
    world.at(killedAt, holder.kill);
    await world.run(killedAt + 10 * timing.durationMs);
    expect(takenAt).toBeGreaterThan(killedAt);
    // The slower clock measures the duration, and each exchange with the store takes up to 0.4 s.
    const longest = (timing.durationMs + timing.heartbeatMs) / 0.955 + 2_000;
    expect((takenAt ?? Infinity) - killedAt).toBeLessThan(longest);
  },
);
