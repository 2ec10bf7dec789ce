import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/api/clock.ts';
import { SourceError } from '../../src/diagnostics/errors.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Address } from '../../src/model/address.ts';
import type { Policy } from '../../src/model/stack.ts';
import type { WatchStatus } from '../../src/model/watch-status.ts';
import { acquireLock } from '../../src/state/lock.ts';
import { watch } from '../../src/watch/loop.ts';
import type { Ports, ReadStack } from '../../src/watch/ports.ts';
import type { Source } from '../../src/watch/source.ts';
import type { Switches } from '../../src/watch/switches.ts';
import { readWishes, writeWishes, type Wishes } from '../../src/watch/wishes.ts';
import { harness, type Harness } from '../support/harness.ts';
import { loadText, type ManifestFiles } from '../support/load-text.ts';

/** What `sluice.yaml` says in a test, beside the usual. */
export interface Settings extends Partial<Switches> {
  readonly policy?: Policy;
  readonly intervalMs?: number;
}

/** A watch that runs in memory, with time that goes by only when it is asked to. */
export interface Rig {
  readonly account: Harness;
  /** Where the lock, the wishes and the memory are. */
  readonly dir: string;
  /** Another revision of all manifests. */
  readonly write: (files: ManifestFiles) => void;
  /** The directory is gone. */
  readonly vanish: () => void;
  readonly set: (settings: Settings) => void;
  readonly status: () => WatchStatus;
  readonly log: readonly string[];
  readonly now: () => number;
  /** Listeners and sleepers there are now. */
  readonly sleepers: () => number;
  /** Goes from one sleeper to the next until something holds. */
  readonly until: (holds: (status: WatchStatus) => boolean) => Promise<WatchStatus>;
  /** Lets so many milliseconds pass, everybody waking in turn. */
  readonly pass: (ms: number) => Promise<WatchStatus>;
  /** Turns until nothing is about to be done. */
  readonly rests: () => Promise<WatchStatus>;
  readonly wish: (change: (before: Wishes) => Wishes) => Promise<void>;
  /** What a person says to `sluice approve`. */
  readonly approve: (digest?: string) => Promise<void>;
  /** What somebody else does to a resource of the account. */
  readonly byHand: (method: 'PATCH' | 'DELETE', address: Address, body?: object) => Promise<void>;
  readonly spec: (address: Address) => Readonly<Record<string, unknown>> | undefined;
  /** Writes that reached the service, such as `POST /reserved_addrs`. */
  readonly writes: () => readonly string[];
  /** Another process of the same stack, or this one again after it stopped. */
  readonly another: () => Rig;
  readonly stop: () => Promise<void>;
}

/** The moment at which the tests begin. */
export const start = Date.UTC(2026, 2, 14, 12);

const usual: Switches = { applyOnChange: true, healDrift: true, prune: true, renew: true, kinds: {} };

/** Starts a watch of these manifests. */
export function rig(files: ManifestFiles, settings: Settings = {}): Rig {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-rig-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const time = handDriven();
  const world: World = { dir, time, files, version: 1, settings, account: harness({ time: () => time.now() }) };
  return begin(world);
}

interface World {
  readonly dir: string;
  readonly time: HandDriven;
  readonly account: Harness;
  files: ManifestFiles | undefined;
  version: number;
  settings: Settings;
}

function begin(world: World): Rig {
  const { dir, time, account } = world;
  const files = { wishes: join(dir, 'watch-wishes.json'), memory: join(dir, 'watch-memory.json') };
  const log: string[] = [];
  let status: WatchStatus | undefined;
  const over = new AbortController();
  const ports: Ports = {
    stack: { name: 'prod', id: '7f3a9c21' },
    version: '0.0.0-test',
    source: scripted(world),
    read: () => readFrom(world),
    lead: (signal, onWait) =>
      acquireLock(join(dir, 'lock'), 'sluice watch', { patience: Number.POSITIVE_INFINITY, signal, onWait }),
    files,
    clock: time.clock,
    now: time.now,
    tell: (next) => void (status = next),
    log: (level, event, message) => log.push(`${level} ${event}: ${message}`),
    show: {
      plan: () => 'the plan',
      field: ({ before, after }) => ({ before: JSON.stringify(before), after: JSON.stringify(after) }),
    },
  };
  const ended = watch(ports, over.signal);
  ended.catch((error: unknown) => log.push(`ended with ${String(error)}`));
  onTestFinished(() => stop());

  async function stop(): Promise<void> {
    over.abort();
    await ended;
  }

  function current(): WatchStatus {
    if (status === undefined) throw new Error('nothing was told yet');
    return status;
  }

  async function until(holds: (status: WatchStatus) => boolean): Promise<WatchStatus> {
    let patience = 0;
    for (let looks = 0; looks < 30_000; looks++) {
      await time.quiet();
      if (holds(current())) return current();
      // A turn takes real time, and none on this clock; one that a test holds up goes on.
      if (isTurning(current()) && patience++ < 20) continue;
      patience = 0;
      time.jump();
    }
    throw new Error(`it never came to that:\n${JSON.stringify(status, null, 1)}\n${log.join('\n')}`);
  }

  async function byHand(method: string, address: Address, body?: object): Promise<void> {
    const found = account.emulator.snapshot().resources.find(({ id }) => id === account.state()?.entries[address]?.id);
    const kind = kinds.named(found?.kind ?? '');
    const path = `${kind?.path.replace(/\{[^}]+\}/, found?.parent ?? '') ?? ''}/${found?.id ?? ''}`;
    const answer = await account.emulator.handle({
      method,
      path,
      headers: { authorization: 'Bearer somebody', 'example-version': '2', 'content-type': 'application/json' },
      body: body === undefined ? '' : JSON.stringify(body),
      actor: 'somebody',
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
  }

  return {
    account,
    dir,
    write: (next) => {
      world.files = next;
      world.version += 1;
    },
    vanish: () => {
      world.files = undefined;
      world.version += 1;
    },
    set: (settings) => {
      world.settings = settings;
      world.version += 1;
    },
    status: current,
    log,
    now: time.now,
    sleepers: time.sleepers,
    until,
    pass: async (ms) => {
      const end = time.now() + ms;
      void time.clock.sleep(ms);
      return until(() => time.now() >= end);
    },
    rests: async () => {
      // What was just asked for is noticed within a second.
      const end = time.now() + 1_500;
      void time.clock.sleep(1_500);
      return until(({ next, role }) => time.now() >= end && (next !== undefined || role === 'paused'));
    },
    wish: (change) => writeWishes(files.wishes, change(readWishes(files.wishes)), time.now()),
    approve: (digest = current().approve ?? 'nothing waits') => {
      const approval = { digest, by: 'ada', at: time.now() };
      const before = readWishes(files.wishes);
      return writeWishes(files.wishes, { ...before, approvals: [...before.approvals, approval] }, time.now());
    },
    byHand,
    spec: (address) =>
      account.emulator.snapshot().resources.find(({ id }) => id === account.state()?.entries[address]?.id)?.spec,
    writes: () =>
      account.emulator.log
        .filter(({ method, actor }) => method !== 'GET' && actor !== 'somebody')
        .map(({ method, path }) => `${method} ${path}`),
    another: () => begin(world),
    stop,
  };
}

function isTurning({ role, next }: WatchStatus): boolean {
  return role === 'leading' && next === undefined;
}

async function readFrom(world: World): Promise<{ readonly value: ReadStack; readonly files: readonly string[] }> {
  const { account, settings, time } = world;
  const desired = await loadText(world.files ?? {}, { kinds, profile: 'completed' });
  const { policy = { maxDeletes: { count: 100 }, block: [] }, intervalMs = 300_000, ...switches } = settings;
  const value: ReadStack = {
    desired,
    switches: { ...usual, ...switches },
    intervalMs,
    pace: { first: 5_000, most: 600_000 },
    look: async (inForce) => {
      const { input } = await account.plan({ ...inForce, diagnostics: [] }, { allow: [], policy });
      return {
        input,
        apply: (plan, signal, onEvent) => account.apply(plan, { signal, onEvent, now: time.now }),
        close: () => Promise.resolve(),
      };
    },
  };
  return { value, files: [] };
}

/** A directory that says what the test says. */
function scripted(world: World): Source {
  let last = 0;
  let lastRead = 0;
  return {
    read: async (work) => {
      const { version } = world;
      last = version;
      if (world.files === undefined) throw new SourceError('SOURCE_MISSING', 'there is no such directory');
      const { value } = await work(world.dir);
      const isNew = lastRead !== version;
      lastRead = version;
      return { value, revision: { content: String(version).padStart(12, '0') }, isNew };
    },
    changed: async (signal) => {
      while (world.version === last) await world.time.clock.sleep(500, signal);
    },
    close: () => Promise.resolve(),
  };
}

interface HandDriven {
  readonly clock: Clock;
  readonly now: () => number;
  readonly sleepers: () => number;
  /** Resolves once everybody sleeps. */
  readonly quiet: () => Promise<void>;
  /** To the next one who wakes. */
  readonly jump: () => void;
}

function handDriven(): HandDriven {
  let now = start;
  let draws = 0;
  const chance = [0.1, 0.9, 0.5, 0.3];
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  const sleep: Clock['sleep'] = (ms, signal) =>
    new Promise((done, fail) => {
      if (signal?.aborted === true) {
        fail(new Error('aborted'));
        return;
      }
      const aborted = (): void => {
        sleepers.delete(sleeper);
        fail(new Error('aborted'));
      };
      const sleeper = {
        at: now + ms,
        wake: () => {
          signal?.removeEventListener('abort', aborted);
          done();
        },
      };
      signal?.addEventListener('abort', aborted, { once: true });
      sleepers.add(sleeper);
    });
  return {
    clock: { now: () => now, random: () => chance[draws++ % chance.length] ?? 0.5, sleep },
    now: () => now,
    sleepers: () => sleepers.size,
    quiet: async () => {
      // Files are written by other threads, so a few turns of the event loop are not enough.
      for (let turns = 0; turns < 25; turns++) await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setTimeout(resolve, 1));
    },
    jump: () => {
      const next = Math.min(...[...sleepers].map(({ at }) => at));
      if (next === Number.POSITIVE_INFINITY) return;
      now = Math.max(now, next);
      for (const sleeper of [...sleepers].filter(({ at }) => at <= now)) {
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
  };
}
