import type { Entry } from '../../../src/model/state.ts';
import { keepInThisThread } from '../../../src/state/remote/kept-lease.ts';
import { leaseIn } from '../../../src/state/remote/lease-record.ts';
import type { LeaseTiming } from '../../../src/state/lease/lease-timing.ts';
import { usualTiming } from '../../support/usual-timing.ts';
import { probeBytes } from '../../../src/state/remote/probe-store.ts';
import { remoteBackend } from '../../../src/state/remote/remote-backend.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { emptyState, type StateStoreOptions } from '../../../src/state/store.ts';
import { faultyStore, type StoreFaults } from './faulty-store.ts';
import { memoryStore, sharedMemory, type SharedMemory } from './memory-store.ts';
import { processIn, worldOf, type Process, type World } from './world.ts';

/** A mistake that is made on purpose: what a run has in place of what it should have. */
export interface Plant {
  readonly store?: (store: RemoteStore, world: World) => RemoteStore;
  /** The durations by which a holder stops itself. */
  readonly timing?: LeaseTiming;
  readonly time?: (time: Process['time']) => Process['time'];
  readonly asksOnce?: true;
  /** The store loses the state in the middle, and nothing else. */
  readonly losesState?: true;
  /** Not a mistake: nobody sets the wall clocks. */
  readonly keepsClocks?: true;
}

/** What a simulation has found. */
export interface Findings {
  readonly violations: readonly string[];
  readonly takes: number;
  readonly writes: number;
  readonly recorded: number;
}

const runs = 3;
const seconds = 1_000;
const timing = usualTiming;
const faults: StoreFaults = { requestLost: 3, answerLost: 3, late: 2, twice: 2 };
const options: StateStoreOptions = {
  lineage: '5c1e7a90',
  account: 'https://api.example.com',
  writer: { version: '0', command: 'apply' },
  // All runs meet in one moment of the wall clock.
  now: () => new Date(0),
};

interface Facts {
  readonly violations: string[];
  readonly taken: { readonly token: string; readonly fence: number; readonly at: number }[];
  readonly writes: { readonly run: number; readonly from: number; until: number; readonly fence: number }[];
  readonly recorded: Set<string>;
}

/** Three runs and one store for a quarter of an hour, in which everything that can go wrong does, in an order that the seed decides. */
export async function simulate(seed: number, plant: Plant = {}): Promise<Findings> {
  const world = worldOf(seed);
  const memory = sharedMemory();
  memory.objects.set('probe', { bytes: probeBytes(['memory']), version: 'v0' });
  const facts: Facts = { violations: [], taken: [], writes: [], recorded: new Set() };
  memory.onSwap = (name, bytes) => name === 'lease' && noteLease(bytes, facts, world);
  const end = 900 * seconds;
  for (let run = 0; run < runs; run++) {
    const process = processIn(world, 0.955 + 0.09 * world.random());
    void live(run, process, world, memory, facts, plant);
    disturb(process, world, { mayDie: run > 0, furthest: plant.keepsClocks === true ? 0 : 2_000 }, end);
  }
  if (plant.losesState === true) world.at(end / 2, () => memory.objects.delete('state'));
  await world.run(end);
  mustNotOverlap(facts);
  if (plant.losesState !== true) await mustRememberAll(memory, facts);
  const { violations, taken, writes, recorded } = facts;
  return { violations, takes: taken.length, writes: writes.length, recorded: recorded.size };
}

/** Its wall clock is set by so many seconds at most. */
function disturb(
  process: Process,
  world: World,
  { mayDie, furthest }: { readonly mayDie: boolean; readonly furthest: number },
  end: number,
): void {
  for (let time = 0; time < end; time += (20 + 100 * world.random()) * seconds) {
    const draw = world.random();
    const length = world.random() < 0.3 ? world.random() * 15 : 20 + world.random() * 180;
    if (draw < 0.5) world.at(time, () => process.pause(length * seconds, world.random() < 0.5));
    else if (draw < 0.7) world.at(time, () => process.setWall((world.random() - 0.5) * 2 * furthest * seconds));
    else if (draw < 0.73 && mayDie) world.at(time, () => process.kill());
  }
}

/** One runner of a pipeline, which applies again and again. */
async function live(
  run: number,
  process: Process,
  world: World,
  memory: SharedMemory,
  facts: Facts,
  plant: Plant,
): Promise<void> {
  const time = plant.time?.(process.time) ?? process.time;
  const reliable = faultyStore(world, memory, process, faults, timing.storeDeadlineMs);
  const store = plant.store?.(reliable, world) ?? reliable;
  let fence = 0;
  const backend = remoteBackend({
    store,
    timing,
    time,
    owner: { owner: 'ada', host: `runner-${run}`, pid: run + 1 },
    keep: (taken) => {
      fence = taken.record.fence;
      return keepInThisThread(store, taken, plant.timing ?? timing, time);
    },
  });
  for (let turn = 0; ; turn++) {
    await process.wake(world.now() + world.random() * 20 * seconds);
    try {
      const lock = await backend.acquireLock('sluice apply', { patience: 1e9 });
      try {
        const state = backend.stateStore(options, lock);
        const loaded = await state.load();
        if (loaded === undefined && facts.recorded.size > 0)
          facts.violations.push(`run ${run} takes a state that is gone for a first run`);
        const record = state.recorder(loaded ?? emptyState(options.lineage, options.account));
        const steps = 1 + Math.floor(world.random() * 8);
        for (let step = 0; step < steps; step++) {
          const address = `ReservedAddr/r${run}-${turn}-${step}`;
          await record({ entries: {}, intents: { [address]: { kind: 'ReservedAddr', nonces: ['n'] } } });
          await lock.untilMayWrite();
          // It waits in a queue, and behind a busy connection.
          await process.wake(world.now() + world.random() ** 4 * 40 * seconds);
          if (plant.asksOnce !== true) while (!lock.mayWrite()) await lock.untilMayWrite();
          const from = world.now();
          // Where the process does not see its end, a write may be under way until its deadline.
          const write = { run, from, until: from + timing.writeDeadlineMs * 1.05, fence };
          facts.writes.push(write);
          await process.wake(from + world.random() ** 3 * timing.writeDeadlineMs * 0.95);
          write.until = Math.min(write.until, world.now());
          await record({ entries: { [address]: entry(address) }, intents: { [address]: null } });
          facts.recorded.add(address);
        }
        await state.close();
      } catch (error) {
        const isTaken = facts.taken.some((one) => one.fence > fence);
        const isLost = error instanceof Error && 'code' in error && error.code === 'LOCK_LOST';
        if (isLost && !isTaken && plant.losesState !== true)
          facts.violations.push(`run ${run} has lost the lease of fence ${fence} to nobody`);
      } finally {
        await lock.release();
      }
    } catch {
      // An outage: the pipeline runs again.
    }
  }
}

function noteLease(bytes: Uint8Array, { taken, violations }: Facts, world: World): void {
  const { token, fence } = leaseIn(bytes, 'memory');
  if (token === null || taken.some((one) => one.token === token)) return;
  const before = taken.at(-1);
  if (before !== undefined && fence <= before.fence) violations.push(`fence ${fence} comes after ${before.fence}`);
  taken.push({ token, fence, at: world.now() });
}

/** No write is under way, from its start to its deadline, after another run has taken the lease. */
function mustNotOverlap({ writes, taken, violations }: Facts): void {
  for (const { run, fence, from, until } of writes) {
    const next = taken.find((one) => one.fence > fence);
    if (next !== undefined && next.at < until)
      violations.push(
        `a write of run ${run} (fence ${fence}) from ${from} to ${until} overlaps the take at ${next.at}`,
      );
  }
}

async function mustRememberAll(memory: SharedMemory, { recorded, violations }: Facts): Promise<void> {
  const store = memoryStore(memory);
  const backend = remoteBackend({
    store,
    timing,
    time: { now: () => ({ monotonic: 0, wall: 0 }), sleep: () => Promise.resolve(), every: () => () => undefined },
    owner: { owner: 'ada', host: 'last', pid: 9 },
    keep: () => {
      throw new Error('only reads');
    },
  });
  const state = await backend.stateStore(options).load();
  const lost = [...recorded].filter((address) => state?.entries[address] === undefined);
  if (lost.length > 0) violations.push(`${lost.length} recorded changes are lost: ${lost.slice(0, 3).join(', ')}`);
}

function entry(address: string): Entry {
  return { kind: 'ReservedAddr', id: address.replace(/\W/g, '_'), spec: {}, protect: false, retain: false };
}
