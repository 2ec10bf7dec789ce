import { setMaxListeners } from 'node:events';
import { StateError } from '../../../src/diagnostics/errors.ts';
import { accountLimiters } from '../../../src/stack/service/account-limiters.ts';
import type { LeaseTime } from '../../../src/state/lease/lease-time.ts';
import { usualTiming, type LeaseTiming } from '../../../src/state/lease/lease-timing.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { capacityOf } from '../../../src/watch/replicas/divide-stacks.ts';
import type { DividedStack } from '../../../src/watch/replicas/divided-stack.ts';
import { runReplica } from '../../../src/watch/replicas/run-replica.ts';
import { createTurns } from '../../../src/watch/fleet/turns.ts';
import { faultyStore } from '../../state/remote/faulty-store.ts';
import { sharedMemory, type SharedMemory } from '../../state/remote/memory-store.ts';
import { processIn, worldOf, type Process, type World } from '../../state/remote/world.ts';
import { simulatedAccount, type SimulatedAccount } from './simulated-account.ts';
import { intervalMs, simulatedStack, type StackFacts, type StackPlant } from './simulated-stack.ts';

/** A mistake that is made on purpose. */
export interface ReplicaPlant extends StackPlant {
  readonly store?: (store: RemoteStore, id: () => string) => RemoteStore;
  readonly timing?: LeaseTiming;
  /** Each replica uses the whole rate of an account. */
  readonly ignoresShare?: true;
}

/** What a simulation has found. */
export interface FleetFindings {
  readonly violations: readonly string[];
  readonly handovers: number;
  /** What may move stacks: replicas that begin, end, fall silent or fall behind. */
  readonly events: number;
  readonly requests: number;
  /** Those that the service has answered with 429. */
  readonly refused: number;
}

const counts = { replicas: 5, stacks: 40, accounts: 8, concurrency: 4 };
const second = 1_000;
const faultsEnd = 1_800 * second;
const storeFaults = { requestLost: 1, answerLost: 1, late: 1, twice: 1 };

/** A place where a replica runs: after a kill, another process begins there. */
interface Place {
  readonly index: number;
  lives: number;
  revision: number;
  cutOffUntil: number;
  current:
    | { readonly process: Process; readonly stacks: ReadonlyMap<string, DividedStack>; readonly over: AbortController }
    | undefined;
}

/** What may move stacks: how often it happened, and how many handovers it explains. */
interface Tally {
  events: number;
  moves: number;
}

/** What the places of a simulation have in common. */
interface Shared {
  readonly places: readonly Place[];
  readonly world: World;
  readonly memory: SharedMemory;
  readonly stacks: readonly StackFacts[];
  readonly plant: ReplicaPlant;
  readonly tally: Tally;
}

/**
 * Five replicas, forty stacks, eight accounts and one store: for half an hour processes are killed, stopped, suspended and cut off from the store, and
 * checkouts are late, in an order that the seed decides; then all is well for as long as it takes.
 */
export async function simulateFleet(seed: number, plant: ReplicaPlant = {}): Promise<FleetFindings> {
  const world = worldOf(seed);
  const memory = sharedMemory();
  // The limit of half of the accounts is stated; that of the others is learned from 429.
  const accounts = Array.from({ length: counts.accounts }, (_, n) =>
    simulatedAccount(`key-${String(n)}`, n < 4, world.now),
  );
  const stacks = Array.from({ length: counts.stacks }, (_, n) => factsOf(n, accounts));
  const places = Array.from({ length: counts.replicas }, (_, index): Place => ({
    index,
    lives: 0,
    revision: 0,
    cutOffUntil: 0,
    current: undefined,
  }));
  const violations: string[] = [];
  const tally: Tally = { events: 0, moves: 0 };
  const start = (place: Place): void => begin(place, { places, world, memory, stacks, plant, tally });
  for (const place of places) world.at(world.random() * 30 * second, () => start(place));
  const quietFrom = disturb(places, world, tally, start);
  const end = quietFrom + 3.5 * intervalMs;
  const unfairSince = new Map<string, number>();
  world.at(quietFrom + 2 * intervalMs, () => {
    for (const { path, lookedAt, isBroken } of stacks)
      if (!isBroken && lookedAt < quietFrom)
        violations.push(`${path} is not looked at within two intervals after the last fault`);
  });
  for (let time = quietFrom + 3 * intervalMs; time < end; time += 15 * second)
    world.at(time, () => {
      // What is being handed over is nobody's until whoever is to have it has read the sessions; after one lease duration any other takes it.
      const now = unfair(places);
      for (const one of unfairSince.keys()) if (!now.includes(one)) unfairSince.delete(one);
      for (const one of now) {
        const since = unfairSince.get(one) ?? time;
        unfairSince.set(one, since);
        if (time - since >= usualTiming.durationMs + 3 * usualTiming.heartbeatMs) violations.push(one);
      }
    });
  await world.run(end);
  for (const stack of stacks) violations.push(...wrongIn(stack));
  for (const account of accounts) violations.push(...exceeded(account));
  const handovers = stacks.reduce(
    (sum, { takes }) => sum + takes.filter(({ by }, n) => n > 0 && by !== takes[n - 1]?.by).length,
    0,
  );
  if (handovers > tally.moves)
    violations.push(`${String(handovers)} handovers, where faults and joins explain ${String(tally.moves)}`);
  const requests = stacks.reduce((sum, one) => sum + one.requests.length, 0);
  const refused = accounts.reduce((sum, one) => sum + one.counts.refused, 0);
  return { violations: [...new Set(violations)], handovers, events: tally.events, requests, refused };
}

function pathOf(n: number): string {
  return `stack-${String(n).padStart(2, '0')}`;
}

function factsOf(n: number, accounts: readonly SimulatedAccount[]): StackFacts {
  const account = accounts[n % accounts.length];
  if (account === undefined) throw new TypeError('there is no account');
  const lock = { holder: undefined, version: 0 };
  return {
    path: pathOf(n),
    lock,
    account,
    applied: 0,
    lookedAt: -1,
    isBroken: n === 7,
    isBusy: [11, 14, 19].includes(n),
    takes: [],
    requests: [],
    backwards: 0,
  };
}

function begin(place: Place, { places, world, memory, stacks, plant, tally }: Shared): void {
  const process = processIn(world, 0.98 + 0.04 * world.random());
  const over = new AbortController();
  // Each stack waits for its end.
  setMaxListeners(0, over.signal);
  const name = `replica-${String(place.index)}-${String(++place.lives)}`;
  const isCutOff = (): boolean => world.now() < place.cutOffUntil;
  const clock = {
    now: () => process.time.now().monotonic,
    sleep: (ms: number, signal?: AbortSignal) => process.time.sleep(Math.max(ms, 1), signal),
    random: world.random,
  };
  const shareOfAccount = (path: string): number => {
    const all = stacks.filter(({ account }) => account === stacks.find((one) => one.path === path)?.account);
    return all.filter((one) => own.get(one.path)?.claim() === 'holds').length / all.length;
  };
  const limiters = accountLimiters(clock, plant.ignoresShare === true ? undefined : shareOfAccount);
  const { join } = createTurns(counts.concurrency);
  const host = { world, process, name, isCutOff, revision: () => place.revision, limiters, join, over: over.signal };
  const gaveBack = new Set<string>();
  const own = new Map(stacks.map((facts) => [facts.path, simulatedStack(facts, host, plant)]));
  place.current = { process, stacks: own, over };
  const timing = plant.timing ?? usualTiming;
  let id = '';
  let sessions = 0;
  const reliable = whileConnected(
    faultyStore(world, memory, process, storeFaults, timing.storeDeadlineMs),
    isCutOff,
    process.time,
  );
  void runReplica(
    {
      store: plant.store?.(reliable, () => id) ?? reliable,
      time: process.time,
      timing,
      newId: () => {
        // One that joins is handed an equal share.
        tally.events += 1;
        tally.moves += Math.floor(counts.stacks / places.filter(({ current }) => current !== undefined).length);
        return (id = `${name}-${String(++sessions)}`);
      },
      about: () => ({ version: '0', since: '' }),
      onJoined: () => undefined,
      stacks: () => own,
      log: (_level, event, _message, fields) => {
        if (event !== 'given-back' || fields?.['reason'] === 'given-back') return;
        // Another replica takes it, and hands one back later. The same replica has no reason to try again before another revision.
        const path = String(fields?.['path']);
        const cause = `${name} ${path} ${String(stacks.find((one) => one.path === path)?.applied)}`;
        if (!gaveBack.has(cause)) tally.moves += 2;
        gaveBack.add(cause);
      },
    },
    over.signal,
  ).then((leave) => leave());
}

function whileConnected(store: RemoteStore, isCutOff: () => boolean, time: LeaseTime): RemoteStore {
  const unavailable = async (): Promise<never> => {
    await time.sleep(usualTiming.storeDeadlineMs);
    throw new StateError('STORE_UNAVAILABLE', 'the store is not reachable');
  };
  return {
    ...store,
    read: (name) => (isCutOff() ? unavailable() : store.read(name)),
    list: (prefix) => (isCutOff() ? unavailable() : store.list(prefix)),
    remove: (names) => (isCutOff() ? unavailable() : store.remove(names)),
    swap: async (name, expected, bytes) => {
      if (!isCutOff()) return store.swap(name, expected, bytes);
      return unavailable().catch((cause: unknown) => ({ is: 'unknown' as const, cause }));
    },
  };
}

/** Plans what goes wrong, and returns when the last of it is over. */
function disturb(places: readonly Place[], world: World, tally: Tally, start: (place: Place) => void): number {
  let last = faultsEnd;
  const untilThen = (time: number): number => {
    last = Math.max(last, time);
    return time;
  };
  for (let time = 120 * second; time < faultsEnd; time += (40 + 120 * world.random()) * second) {
    const place = places[Math.floor(world.random() * places.length)];
    if (place === undefined) continue;
    const [draw, length] = [world.random(), (20 + 200 * world.random()) * second];
    const back = untilThen(time + length);
    world.at(time, () => {
      const { current } = place;
      if (current === undefined) return;
      // Others take each stack that the replica has, once.
      tally.events += 1;
      tally.moves += [...current.stacks.values()].filter((stack) => stack.claim() !== 'none').length;
      if (draw < 0.3) current.process.pause(length, draw < 0.15);
      else if (draw < 0.6) place.cutOffUntil = world.now() + length;
      else {
        // Killed, or stopped: then it gives back what it has.
        place.current = undefined;
        if (draw < 0.8) current.process.kill();
        else {
          current.over.abort();
          for (const stack of current.stacks.values()) stack.release('now');
        }
        world.at(back, () => start(place));
      }
    });
  }
  for (let revision = 1, time = 200 * second; time < faultsEnd; revision++, time += 300 * second)
    for (const place of places)
      world.at(
        untilThen(time + world.random() ** 2 * 400 * second),
        () => (place.revision = Math.max(place.revision, revision)),
      );
  return last;
}

/** Once all is well: each replica has about as many stacks as another one, and nobody waits for what another one has. */
function unfair(places: readonly Place[]): string[] {
  const capacity = capacityOf(counts.stacks, places.length);
  const least = Math.floor(counts.stacks / places.length) - 1;
  const claims = places.map(({ current }) =>
    [...(current?.stacks ?? [])]
      .filter(([path, stack]) => path !== 'stack-07' && stack.claim() !== 'none')
      .map(([path]) => path),
  );
  const all = claims.flat();
  const held = places.flatMap(({ current }) =>
    [...(current?.stacks ?? [])].filter(([, stack]) => stack.claim() === 'holds').map(([path]) => path),
  );
  const paths = Array.from({ length: counts.stacks }, (_, n) => pathOf(n));
  return [
    ...claims.flatMap((own, n) =>
      own.length > capacity ? [`replica ${String(n)} has ${String(own.length)} stacks`] : [],
    ),
    ...claims.flatMap((own, n) =>
      own.length < least ? [`replica ${String(n)} has only ${String(own.length)} stacks`] : [],
    ),
    ...[...new Set(all.filter((path, n) => all.indexOf(path) !== n))].map((path) => `${path} is claimed twice`),
    ...paths.filter((path) => path !== 'stack-07' && !held.includes(path)).map((path) => `${path} is held by nobody`),
  ];
}

function exceeded({ name, rateLimit, counts: { refused, mostInAMinute } }: SimulatedAccount): string[] {
  if (rateLimit === undefined || refused === 0) return [];
  return [
    `${name}: ${String(refused)} requests are refused at ${rateLimit}, after ${String(mostInAMinute)} in a minute`,
  ];
}

function wrongIn({ path, takes, requests, backwards }: StackFacts): string[] {
  const overlaps = requests.filter(({ take, until }) => (takes[take]?.at ?? Infinity) < until);
  return [
    ...(overlaps.length > 0 ? [`${path}: a request is under way after another replica has taken the lock`] : []),
    ...(backwards > 0 ? [`${path}: an older revision is applied`] : []),
  ];
}
