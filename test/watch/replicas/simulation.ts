import { setMaxListeners } from 'node:events';
import { StateError } from '../../../src/diagnostics/errors.ts';
import { accountLimiters } from '../../../src/stack/service/account-limiters.ts';
import type { LeaseTime } from '../../../src/state/lease/lease-time.ts';
import type { LeaseTiming } from '../../../src/state/lease/lease-timing.ts';
import { usualTiming } from '../../support/usual-timing.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { capacityOf } from '../../../src/watch/replicas/divide-stacks.ts';
import type { DividedStack } from '../../../src/watch/replicas/divided-stack.ts';
import { runReplica } from '../../../src/watch/replicas/run-replica.ts';
import { createTurns } from '../../../src/watch/fleet/turns.ts';
import { faultyStore } from '../../state/remote/faulty-store.ts';
import { sharedMemory, type SharedMemory } from '../../state/remote/memory-store.ts';
import { branchOf, processIn, worldOf, type Process, type World } from '../../state/remote/world.ts';
import { killLast } from './last-kill.ts';
import { simulatedAccount, type SimulatedAccount } from './simulated-account.ts';
import { intervalMs, simulatedStack, type SimulatedHost, type StackFacts, type StackWork } from './simulated-stack.ts';
import { stubWork, type WorkPlant } from './stub-work.ts';

/** A mistake that is made on purpose. */
export interface ReplicaPlant extends WorkPlant {
  /** It frees the lock of a stack that is given back at once. */
  readonly freesAtOnce?: true;
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
  /** After how long each stack of the last replica that was killed was taken, in milliseconds. */
  readonly takenMs: readonly number[];
}

/** How many there are of each. */
export interface FleetSizes {
  readonly replicas: number;
  readonly stacks: number;
  readonly accounts: number;
}

/** How the replicas of a simulation work on their stacks. */
export interface FleetWork {
  readonly sizes: FleetSizes;
  /** The work of a replica on a stack; the number is that of its place. */
  readonly workOf: (facts: StackFacts, host: SimulatedHost, place: number) => StackWork;
  /** A place has another revision from now on. */
  readonly checkOut: (place: number, revision: number) => void;
  /** Resolves once nobody does real work. */
  readonly settled?: () => Promise<void>;
  /** What is wrong with the accounts once all is well. */
  readonly wrongIn: (stacks: readonly StackFacts[], revision: number) => readonly string[];
}

const concurrency = 4;
/** The stack that nobody can plan. */
export const brokenStack = 7;
const second = 1_000;
const faultsEnd = 1_800 * second;
/** What the store of a simulation does wrong. */
export const storeFaults = { requestLost: 1, answerLost: 1, late: 1, twice: 1 };

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
  readonly work: FleetWork;
  readonly tally: Tally;
}

/**
 * Replicas, stacks, accounts and one store (five, forty and eight, unless the work is given): for half an hour processes are killed, stopped, suspended and cut off from the store, and
 * checkouts are late, in an order that the seed decides; then all is well for as long as it takes.
 */
export async function simulateFleet(
  seed: number,
  plant: ReplicaPlant = {},
  work: FleetWork = stubs(plant),
): Promise<FleetFindings> {
  const { sizes } = work;
  const world = worldOf(seed);
  const memory = sharedMemory();
  // The limit of the other accounts is learned from 429.
  const accounts = Array.from({ length: sizes.accounts }, (_, n) =>
    simulatedAccount(`key-${String(n)}`, isStated(n, sizes), world.now),
  );
  const stacks = Array.from({ length: sizes.stacks }, (_, n) => factsOf(n, accounts));
  const places = Array.from({ length: sizes.replicas }, (_, index): Place => ({
    index,
    lives: 0,
    revision: 0,
    cutOffUntil: 0,
    current: undefined,
  }));
  const violations: string[] = [];
  const tally: Tally = { events: 0, moves: 0 };
  const start = (place: Place): void => begin(place, { places, world, memory, stacks, plant, work, tally });
  for (const place of places) world.at(world.random() * 30 * second, () => start(place));
  const quietFrom = disturb(places, { world, tally, start, checkOut: work.checkOut });
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
      const now = unfair(places, sizes);
      for (const one of unfairSince.keys()) if (!now.includes(one)) unfairSince.delete(one);
      for (const one of now) {
        const since = unfairSince.get(one) ?? time;
        unfairSince.set(one, since);
        if (time - since >= usualTiming.durationMs + 3 * usualTiming.heartbeatMs) violations.push(one);
      }
    });
  const { violations: notTakenOver, takenMs } = killLast(end, {
    world,
    stacks,
    replicas: () => places.flatMap(({ current }) => current ?? []),
    onKilled: (orphans) => {
      tally.events += 1;
      tally.moves += orphans;
    },
  });
  const whole = end + usualTiming.durationMs + intervalMs;
  const wrong = (): string[] => [...stacks.flatMap(wrongIn), ...accounts.flatMap(exceeded)];
  // What is wrong stays wrong: whoever looks for a planted mistake looks each minute, and stops at the first sign of it.
  const isPlanted = Object.keys(plant).length > 0;
  const step = isPlanted ? 60 * second : whole;
  for (let time = step; ; time += step) {
    await world.run(Math.min(time, whole), work.settled);
    if (time >= whole || (isPlanted && violations.length + wrong().length > 0)) break;
  }
  violations.push(...notTakenOver, ...wrong());
  violations.push(...work.wrongIn(stacks, Math.max(...places.map(({ revision }) => revision))));
  const handovers = stacks.reduce(
    (sum, { takes }) => sum + takes.filter(({ by }, n) => n > 0 && by !== takes[n - 1]?.by).length,
    0,
  );
  if (handovers > tally.moves)
    violations.push(`${String(handovers)} handovers, where faults and joins explain ${String(tally.moves)}`);
  const requests = stacks.reduce((sum, one) => sum + one.requests.length, 0);
  const refused = accounts.reduce((sum, one) => sum + one.counts.refused, 0);
  return { violations: [...new Set(violations)], handovers, events: tally.events, requests, refused, takenMs };
}

function stubs(plant: ReplicaPlant): FleetWork {
  return {
    sizes: { replicas: 5, stacks: 40, accounts: 8 },
    workOf: (facts, host) => stubWork(facts, host, plant),
    checkOut: () => undefined,
    wrongIn: () => [],
  };
}

/** Whether the stack files say what an account allows. */
export function isStated(account: number, { accounts }: FleetSizes): boolean {
  return account < accounts / 2;
}

/** The path of a stack in a simulation. */
export function pathOf(n: number): string {
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
    isBroken: n === brokenStack,
    isBusy: [11, 14, 19].includes(n),
    takes: [],
    requests: [],
    backwards: 0,
  };
}

function begin(place: Place, { places, world, memory, stacks, plant, work, tally }: Shared): void {
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
  const { join } = createTurns(concurrency);
  const host = { world, process, name, isCutOff, revision: () => place.revision, limiters, join, over: over.signal };
  const gaveBack = new Set<string>();
  const own = new Map(
    stacks.map((facts) => {
      // What one stack draws does not depend on how long another one reads its files.
      const ofStack = { ...host, world: branchOf(world) };
      return [
        facts.path,
        simulatedStack(facts, ofStack, work.workOf(facts, ofStack, place.index), plant.freesAtOnce),
      ] as const;
    }),
  );
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
        tally.moves += Math.floor(stacks.length / places.filter(({ current }) => current !== undefined).length);
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

/** A store as long as it is reachable. */
export function whileConnected(store: RemoteStore, isCutOff: () => boolean, time: LeaseTime): RemoteStore {
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
function disturb(
  places: readonly Place[],
  {
    world,
    tally,
    start,
    checkOut,
  }: Pick<Shared, 'world' | 'tally'> & Pick<FleetWork, 'checkOut'> & { readonly start: (place: Place) => void },
): number {
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
      world.at(untilThen(time + world.random() ** 2 * 400 * second), () => {
        if (place.revision >= revision) return;
        place.revision = revision;
        checkOut(place.index, revision);
      });
  return last;
}

/** Once all is well: each replica has about as many stacks as another one, and nobody waits for what another one has. */
function unfair(places: readonly Place[], { stacks }: FleetSizes): string[] {
  const capacity = capacityOf(stacks, places.length);
  const least = Math.floor(stacks / places.length) - 1;
  const claims = places.map(({ current }) =>
    [...(current?.stacks ?? [])]
      .filter(([path, stack]) => path !== pathOf(brokenStack) && stack.claim() !== 'none')
      .map(([path]) => path),
  );
  const all = claims.flat();
  const held = places.flatMap(({ current }) =>
    [...(current?.stacks ?? [])].filter(([, stack]) => stack.claim() === 'holds').map(([path]) => path),
  );
  const paths = Array.from({ length: stacks }, (_, n) => pathOf(n));
  return [
    ...claims.flatMap((own, n) =>
      own.length > capacity ? [`replica ${String(n)} has ${String(own.length)} stacks`] : [],
    ),
    ...claims.flatMap((own, n) =>
      own.length < least ? [`replica ${String(n)} has only ${String(own.length)} stacks`] : [],
    ),
    ...[...new Set(all.filter((path, n) => all.indexOf(path) !== n))].map((path) => `${path} is claimed twice`),
    ...paths
      .filter((path) => path !== pathOf(brokenStack) && !held.includes(path))
      .map((path) => `${path} is held by nobody`),
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
