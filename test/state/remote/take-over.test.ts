import { expect, test } from 'vitest';
import { keepInThisThread } from '../../../src/state/remote/kept-lease.ts';
import { usualTiming as timing } from '../../support/usual-timing.ts';
import { remoteBackend } from '../../../src/state/remote/remote-backend.ts';
import type { Backend } from '../../../src/state/backend.ts';
import { faultyStore, type StoreFaults } from './faulty-store.ts';
import { sharedMemory, type SharedMemory } from './memory-store.ts';
import { processIn, worldOf, type Process, type World } from './world.ts';

const noFaults = { requestLost: 0, answerLost: 0, late: 0, twice: 0 };
const names = ['ada', 'bob'] as const;

function backendOf(
  owner: string,
  process: Process,
  world: World,
  memory: SharedMemory,
  faults: StoreFaults = noFaults,
): Backend {
  const { time } = process;
  const store = faultyStore(world, memory, process, faults, timing.storeDeadlineMs);
  return remoteBackend({
    store,
    timing,
    time,
    owner: { owner, host: owner, pid: 1 },
    keep: (taken) => keepInThisThread(store, taken, timing, time),
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

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'requests to the store that are lost while a run waits do not put off the take-over by another lease duration (seed %i)',
  async (seed) => {
    const world = worldOf(seed);
    const memory = sharedMemory();
    memory.objects.set('probe', { bytes: Buffer.from('done'), version: 'v0' });
    const [holder, waiter] = [processIn(world, 1), processIn(world, 1)];
    const first = backendOf(names[0], holder, world, memory);
    const second = backendOf(names[1], waiter, world, memory, { ...noFaults, requestLost: 5 });
    const killedAt = 50_000;
    let takenAt: number | undefined;
    void first.acquireLock('sluice watch', { patience: 1e9 });
    world.at(killedAt, holder.kill);
    world.at(killedAt, () => void takeAgainAndAgain());
    const takeAgainAndAgain = async (): Promise<void> => {
      while (takenAt === undefined) {
        const lock = await second.acquireLock('sluice watch', { patience: 1e9 }).catch(() => undefined);
        if (lock === undefined) await waiter.time.sleep(5_000);
        else takenAt = world.now();
      }
    };
    await world.run(killedAt + 20 * timing.durationMs);
    expect(takenAt).toBeGreaterThan(killedAt);
    expect((takenAt ?? Infinity) - killedAt).toBeLessThan(2 * timing.durationMs);
  },
);

test('a run that waits ends once the store has been unavailable for one lease duration', async () => {
  const world = worldOf(1);
  const memory = sharedMemory();
  memory.objects.set('probe', { bytes: Buffer.from('done'), version: 'v0' });
  const [holder, waiter] = [processIn(world, 1), processIn(world, 1)];
  const faults = { ...noFaults };
  const first = backendOf(names[0], holder, world, memory);
  const second = backendOf(names[1], waiter, world, memory, faults);
  let ended: { readonly at: number; readonly cause: unknown } | undefined;
  void first.acquireLock('sluice watch', { patience: 1e9 });
  world.at(10_000, () => {
    void second
      .acquireLock('sluice watch', { patience: 1e9 })
      .catch((cause: unknown) => (ended = { at: world.now(), cause }));
  });
  world.at(30_000, () => (faults.requestLost = 100));
  await world.run(30_000 + 5 * timing.durationMs);
  expect(ended?.cause).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  const lastedMs = (ended?.at ?? Infinity) - 30_000;
  expect(lastedMs).toBeGreaterThan(timing.durationMs - 5_000);
  expect(lastedMs).toBeLessThan(timing.durationMs + 10_000);
});

test('what a run saw of a lease before the store lost writes does not count towards its duration', async () => {
  const world = worldOf(1);
  const memory = sharedMemory();
  memory.objects.set('probe', { bytes: Buffer.from('done'), version: 'v0' });
  const [holder, waiter] = [processIn(world, 1), processIn(world, 1)];
  const [first, second] = [backendOf(names[0], holder, world, memory), backendOf(names[1], waiter, world, memory)];
  let takenAt: number | undefined;
  void first.acquireLock('sluice watch', { patience: 1e9 });
  world.at(50_000, holder.kill);
  world.at(50_000, () => {
    void second.acquireLock('sluice watch', { patience: 1e9 }).then(() => (takenAt = world.now()));
  });
  const lostAt = 100_000;
  world.at(lostAt, () => (memory.timeline = '2'));
  await world.run(lostAt + 5 * timing.durationMs);
  expect(takenAt).toBeGreaterThan(lostAt + timing.durationMs);
  expect((takenAt ?? Infinity) - lostAt).toBeLessThan(timing.durationMs + 5_000);
});
