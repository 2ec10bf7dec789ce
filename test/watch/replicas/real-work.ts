/*
 * The work of replicas as it really is, on the clocks of a simulation: manifests and settings are read from checkouts, the
 * lock and the state are in a store that fails, the account is an emulator, and a turn plans and applies as `watch` does.
 * Files and git are those of this machine, so time stands still until nobody waits for them.
 */
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import { EmulatorDispatcher } from '../../../src/emulator/http/dispatcher.ts';
import { SluiceError } from '../../../src/diagnostics/errors.ts';
import { hasErrors } from '../../../src/diagnostics/diagnostic.ts';
import { keptDocuments } from '../../../src/manifest/read/kept-documents.ts';
import { accountLists, type AccountLists } from '../../../src/stack/service/account-limiters.ts';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { readStackConfig } from '../../../src/stack/settings/stack-config.ts';
import type { StackContext } from '../../../src/stack/stack-context.ts';
import { usualTiming } from '../../support/usual-timing.ts';
import type { Lock } from '../../../src/state/lock.ts';
import { keepInThisThread } from '../../../src/state/remote/kept-lease.ts';
import { probeBytes } from '../../../src/state/remote/probe-store.ts';
import { remoteBackend } from '../../../src/state/remote/remote-backend.ts';
import { loadStack } from '../../../src/watch/load-stack.ts';
import { settingTargets } from '../../../src/watch/restart-settings.ts';
import { faultyStore } from '../../state/remote/faulty-store.ts';
import { sharedMemory, type SharedMemory } from '../../state/remote/memory-store.ts';
import type { World } from '../../state/remote/world.ts';
import type { SimulatedAccount } from './simulated-account.ts';
import type { SimulatedHost, StackFacts, StackWork, TurnEnd } from './simulated-stack.ts';
import { describedAt, realSizes, type Checkouts } from './real-checkouts.ts';
import { settledSinceNow } from './settled.ts';
import type { WorkPlant } from './stub-work.ts';
import { storeFaults, whileConnected, type FleetWork } from './simulation.ts';

const resourcesOfStack = 3;
const startOfDay = Date.UTC(2026, 2, 14, 12);

/** The work on checkouts; all accounts are empty. */
export function realWork({ dirOf, checkOut }: Checkouts, plant: WorkPlant = {}): FleetWork {
  const memories = new Map<string, SharedMemory>();
  const emulators = new Map<string, Emulator>();
  const lists = new Map<string, AccountLists>();
  const made = <T>(all: Map<string, T>, key: string, make: () => T): T => {
    const found = all.get(key) ?? make();
    all.set(key, found);
    return found;
  };
  for (let place = 0; place < realSizes.replicas; place++) checkOut(place, 0);
  return {
    sizes: realSizes,
    checkOut,
    settled: settledSinceNow(),
    workOf: (facts, host, place) => {
      const memory = made(memories, facts.path, probedMemory);
      const now = (): number => startOfDay + host.world.now();
      const emulator = made(emulators, facts.account.name, () => createEmulator({ clock: () => new Date(now()) }));
      const ofHost = made(lists, host.name, () => accountLists(now));
      return workOn(facts, host, { dir: dirOf(place, facts.path), memory, emulator, lists: ofHost, now, plant });
    },
    wrongIn: (stacks, revision) =>
      stacks.flatMap(({ path, isBroken, account }) => {
        const { resources = [] } = emulators.get(account.name)?.snapshot() ?? {};
        const texts = resources.map(({ spec: { description } }) =>
          typeof description === 'string' ? description : '',
        );
        const own = texts.filter((text) => text.startsWith(`${path} `));
        const wanted = isBroken ? [] : Array.from({ length: resourcesOfStack }, () => describedAt(path, revision));
        return String(own) === String(wanted) ? [] : [`${path} has ${own.join(', ')}`];
      }),
  };
}

function probedMemory(): SharedMemory {
  const memory = sharedMemory();
  memory.objects.set('probe', { bytes: probeBytes(['memory']), version: 'v0' });
  return memory;
}

function workOn(
  facts: StackFacts,
  host: SimulatedHost,
  {
    dir,
    memory,
    emulator,
    lists,
    now,
    plant,
  }: {
    readonly dir: string;
    readonly memory: SharedMemory;
    readonly emulator: Emulator;
    readonly lists: AccountLists;
    readonly now: () => number;
    readonly plant: WorkPlant;
  },
): StackWork {
  const { world, process, name, isCutOff, limiters } = host;
  const { time } = process;
  const reliable = faultyStore(world, memory, process, storeFaults, usualTiming.storeDeadlineMs);
  const store = whileConnected(reliable, isCutOff, time);
  const backend = remoteBackend({
    store,
    timing: usualTiming,
    time,
    owner: { owner: 'ada', host: name, pid: 1 },
    keep: (taken) => keepInThisThread(store, taken, usualTiming, time),
  });
  const documents = keptDocuments();
  let lock: Lock | undefined;

  async function take(signal: AbortSignal): Promise<boolean> {
    lock = await backend
      .acquireLock('sluice watch', { patience: Number.POSITIVE_INFINITY, signal })
      .catch(() => undefined);
    if (lock === undefined) await time.sleep(5_000, signal).catch(() => undefined);
    else facts.takes.push({ by: name, at: world.now() });
    return lock !== undefined;
  }

  async function turn(taken: number, signal: AbortSignal): Promise<TurnEnd> {
    const revision = host.revision();
    try {
      if (!(await planAndApply(taken, signal))) return 'failed';
      facts.applied = Math.max(facts.applied, revision);
      facts.lookedAt = world.now();
      return 'done';
    } catch (error) {
      if (error instanceof SluiceError && error.code === 'BEHIND_APPLIED') return 'behind';
      return error instanceof Unplannable ? 'not-planned' : 'failed';
    }
  }

  async function planAndApply(taken: number, signal: AbortSignal): Promise<boolean> {
    const context = contextOf(signal, taken);
    const open = await readStackConfig(context);
    const atStart = { settings: open.settings, overridden: new Set<never>(), targets: settingTargets(open, context) };
    const { value } = await loadStack(context, dir, {
      parallelism: 2,
      atStart,
      documents,
      lock: () => lock,
      backend,
      metrics: { onRequest: () => undefined, onRetry: () => undefined },
    });
    if (hasErrors(value.desired.diagnostics)) throw new Unplannable();
    const { plan, apply, close } = await value.refresh(value.desired, signal, true);
    try {
      const { changes, stateError } = await apply({ plan, isPart: false, approvals: [] }, signal, () => undefined);
      return stateError === undefined && changes.every(({ ending }) => ending === 'done');
    } finally {
      await close();
    }
  }

  function contextOf(signal: AbortSignal, taken: number): StackContext {
    const key = `SLUICE_KEY_${facts.account.name.slice('key-'.length)}`;
    const env = { SLUICE_BASE_URL: 'https://api.example.com', [key]: facts.account.name };
    const context = libraryContext({ dir, env, signal });
    return {
      ...context,
      dir,
      isUnattended: true,
      fleet: {
        limiters: { ...limiters, of: (one, onFinding) => limiters.of({ ...one, stack: facts.path }, onFinding) },
        lists,
        ...(plant.ignoresRevision === true ? {} : { isDivided: true as const }),
      },
      io: {
        ...context.io,
        clock: {
          now: () => time.now().monotonic,
          sleep: (ms, over) => time.sleep(Math.max(ms, 1), over),
          random: world.random,
        },
        now,
        network: new EmulatorDispatcher((request) => travel(request, taken)),
      },
    };
  }

  /** A request on its way through the network and back. */
  async function travel(request: Parameters<Emulator['handle']>[0], taken: number): ReturnType<Emulator['handle']> {
    const from = world.now();
    const noted = { take: taken, from, until: from + usualTiming.writeDeadlineMs * 1.05 };
    if (request.method !== 'GET') facts.requests.push(noted);
    await after(world, world.random() * 2_000);
    const revision = /at revision (\d+)/.exec(String(request.body))?.[1];
    if (revision !== undefined && Number(revision) < facts.applied) facts.backwards += 1;
    const answer = await answerOf(facts.account, emulator, request);
    await time.sleep(world.random() * 2_000);
    noted.until = Math.min(noted.until, world.now());
    return answer;
  }

  return {
    busyRestMs: 10_000,
    take,
    turn,
    mayWrite: () => lock?.mayWrite() === true,
    isMine: () => lock?.isMine() === true,
    release: async () => {
      const held = lock;
      lock = undefined;
      await held?.release().catch(() => undefined);
    },
  };
}

class Unplannable extends Error {}

async function answerOf(
  account: SimulatedAccount,
  emulator: Emulator,
  request: Parameters<Emulator['handle']>[0],
): ReturnType<Emulator['handle']> {
  const { status, retryAfterMs } = account.request();
  if (status === 200) return emulator.handle(request);
  return { status, headers: { 'retry-after': String((retryAfterMs ?? 0) / 1000) }, body: '{}' };
}

function after(world: World, ms: number): Promise<void> {
  return new Promise((resolve) => world.at(world.now() + ms, resolve));
}
