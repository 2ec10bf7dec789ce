import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { InvalidInput, SourceError, StateError } from '../../src/diagnostics/errors.ts';
import type { LogFields } from '../../src/diagnostics/log.ts';
import { kinds } from '../../src/kinds/index.ts';
import { present } from '../../src/model/present.ts';
import type { Profile } from '../../src/kinds/kind.ts';
import type { Address } from '../../src/model/address.ts';
import type { DesiredStack } from '../../src/model/resource.ts';
import type { Policy } from '../../src/model/stack.ts';
import type { WatchStatus } from '../../src/model/status/watch-status.ts';
import type { ApprovingCommit } from '../../src/stack/git/approving-commits.ts';
import { plannedRouting } from '../../src/plan/access-policy/planned-routing.ts';
import { newLease } from '../../src/state/lease/lease.ts';
import { leaseText } from '../../src/state/file/lock-heartbeat.ts';
import { acquireLock, type Lock } from '../../src/state/lock.ts';
import { controlRequests, type ControlRequests } from '../../src/watch/control/control-requests.ts';
import { watch } from '../../src/watch/loop.ts';
import type { Ports, LoadedStack } from '../../src/watch/ports.ts';
import type { WatchSource } from '../../src/watch/source/watch-source.ts';
import type { SyncSettings } from '../../src/watch/decide/sync-policy.ts';
import { fileDocument } from '../../src/state/file/file-document.ts';
import { recordApproval, updateOperatorRequests, type OperatorRequests } from '../../src/watch/operator-requests.ts';
import { harness, type Harness } from '../support/harness.ts';
import { loadText, type ManifestFiles } from '../support/load-text.ts';
import { handDriven, type HandDriven } from './hand-driven.ts';

/** The content of `sluice.yaml` in a test, besides the usual. */
export interface Settings extends Partial<SyncSettings> {
  readonly profile?: Profile;
  readonly policy?: Policy;
  readonly intervalMs?: number;
  readonly isRecorded?: boolean;
}

/** A watch that runs in memory, with time that goes by only when it is asked to. */
export interface Rig {
  readonly account: Harness;
  /** Where the lock, the operator requests and the memory are. */
  readonly dir: string;
  /** Another revision of all manifests. */
  readonly write: (files: ManifestFiles) => void;
  /** A commit that changes no file of the stack. */
  readonly commitElsewhere: () => void;
  /** The directory is gone. */
  readonly vanish: () => void;
  /** Nobody can find out any more whether something has changed. */
  readonly deafen: () => void;
  /** Whether the disk takes no more of the watch state. */
  readonly fillDisk: (isFull: boolean) => void;
  /** `sluice.yaml` is wrong, until it is written again. */
  readonly spoil: () => void;
  readonly set: (settings: Settings) => void;
  readonly status: () => WatchStatus;
  /** How often a status was published. */
  readonly publications: () => number;
  readonly log: readonly string[];
  /** What commands of this machine ask of it. */
  readonly control: ControlRequests;
  /** The fields of the same lines, with the event. */
  readonly logged: readonly LogFields[];
  readonly now: () => number;
  /** How many sleep now, and how many listen to the signal that ends the watch. */
  readonly sleepers: () => number;
  readonly listeners: () => number;
  /** How often the manifests were read. */
  readonly turns: () => number;
  /** Goes from one sleeper to the next until something holds. */
  readonly until: (holds: (status: WatchStatus) => boolean) => Promise<WatchStatus>;
  /** Lets so many milliseconds pass, everybody waking in turn. */
  readonly pass: (ms: number) => Promise<WatchStatus>;
  /** The machine sleeps for so long; then as `rests`. */
  readonly oversleep: (ms: number) => Promise<WatchStatus>;
  /** Sets the wall clock so many milliseconds forward or, below 0, back. */
  readonly setWall: (ms: number) => void;
  /** Turns until nothing is about to be done. */
  readonly rests: () => Promise<WatchStatus>;
  readonly request: (change: (before: OperatorRequests) => OperatorRequests) => Promise<void>;
  /** What a person says to `sluice approve`. */
  readonly approve: (digest?: string, reason?: string) => Promise<void>;
  /** What somebody else does to a resource of the account. */
  readonly byHand: (method: 'PATCH' | 'DELETE', address: Address, body?: object) => Promise<void>;
  /** Has requests of a method wait for as long as the test wants. */
  readonly holdUp: (method: string) => () => void;
  readonly spec: (address: Address) => Readonly<Record<string, unknown>> | undefined;
  /** Writes that reached the service, such as `POST /reserved_addrs`. */
  readonly writes: () => readonly string[];
  /** Another process of the same stack, or this one again after it stopped; or of another stack whose state has the same path. */
  readonly another: (stack?: Ports['stack']) => Rig;
  /** A process of elsewhere takes the lock, as it may when this one was silent for too long. */
  readonly rob: (command?: string) => void;
  /** What the commits of the repository approve from now on. */
  readonly commits: (approving: readonly ApprovingCommit[]) => void;
  readonly stop: () => Promise<void>;
}

/** The moment at which the tests begin. */
export const start = Date.UTC(2026, 2, 14, 12);

const usual: SyncSettings = { applyOnChange: true, healDrift: true, prune: true, renew: true, kinds: {} };

/** Starts a watch of these manifests. */
export function rig(files: ManifestFiles, settings: Settings = {}): Rig {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-rig-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const time = handDriven(start);
  const account = harness({
    ...(settings.profile === undefined ? {} : { profile: settings.profile }),
    time: time.now,
    service: { clock: () => new Date(time.now()) },
  });
  return begin({
    dir,
    time,
    files,
    version: 1,
    head: 1,
    settings,
    leaders: 0,
    turns: 0,
    processes: 0,
    commits: [],
    loaded: new WeakMap(),
    account,
  });
}

interface World {
  readonly dir: string;
  readonly time: HandDriven;
  readonly account: Harness;
  files: ManifestFiles | undefined;
  isDeaf?: true;
  isFull?: boolean;
  version: number;
  head: number;
  settings: Settings | undefined;
  /** What was read of files that are as they were. */
  readonly loaded: WeakMap<ManifestFiles, DesiredStack>;
  leaders: number;
  turns: number;
  processes: number;
  commits: readonly ApprovingCommit[];
}

function begin(world: World, stack: Ports['stack'] = { name: 'prod', id: '7f3a9c21' }): Rig {
  const { dir, time, account } = world;
  const state = fileDocument(join(dir, 'watch-state.json'));
  const documents = {
    requests: fileDocument(join(dir, 'watch-requests.json')),
    state: {
      ...state,
      update: (...change: Parameters<typeof state.update>) =>
        world.isFull === true
          ? Promise.reject(new StateError('FILE_NOT_WRITTEN', 'no space'))
          : state.update(...change),
    },
  };
  const log: string[] = [];
  const logged: LogFields[] = [];
  const control = controlRequests();
  let status: WatchStatus | undefined;
  let publications = 0;
  const over = new AbortController();
  const ports: Ports = {
    dir: '/srv/prod',
    stack,
    version: '0.0.0-test',
    url: `http://10.0.0.${String(++world.processes)}:9470/`,
    approvalWays: [],
    approvingCommits: () => Promise.resolve(world.commits),
    source: scripted(world),
    read: () => readFrom(world),
    acquireLock: (signal, onWait, onHeartbeat) => leadIn(world, signal, onWait, onHeartbeat),
    documents,
    control,
    openSocket: () => Promise.resolve(),
    takeTurn: () => Promise.resolve(() => undefined),
    clock: time.clock,
    now: time.now,
    publish: (next) => {
      status = next;
      publications += 1;
    },
    log: (level, event, message, fields = {}) => {
      log.push(`${level} ${event}: ${message}`);
      logged.push({ event, ...fields });
    },
  };
  time.waitsFor(() => status?.role === 'leader' && status.nextRefresh === undefined);
  const ended = watch(ports, over.signal);
  ended.catch((error: unknown) => log.push(`ended with ${String(error)}`));
  onTestFinished(() => stop());

  async function stop(): Promise<void> {
    over.abort();
    await ended;
  }

  function current(): WatchStatus {
    if (status === undefined) throw new Error('no status was reported yet');
    return status;
  }

  async function until(holds: (status: WatchStatus) => boolean): Promise<WatchStatus> {
    for (let looks = 0; looks < 30_000; looks++) {
      await time.quiet();
      if (holds(current())) return current();
      // Where nobody sleeps, a file is worked on: a busy disk may take longer than all looks.
      if (!time.jump()) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    throw new Error(`it never came to that:\n${JSON.stringify(status, null, 1)}\n${log.join('\n')}`);
  }

  async function rests(): Promise<WatchStatus> {
    // What was just asked for is noticed within a second.
    const end = time.clock.now() + 1_500;
    void time.clock.sleep(1_500);
    return until(
      ({ nextRefresh, role }) => time.clock.now() >= end && (nextRefresh !== undefined || role === 'paused'),
    );
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

  function renew(change: Partial<World>): void {
    Object.assign(world, change, { version: world.version + 1 });
  }

  return {
    account,
    dir,
    write: (files) => renew({ files }),
    commitElsewhere: () => void (world.head += 1),
    vanish: () => renew({ files: undefined }),
    deafen: () => void (world.isDeaf = true),
    fillDisk: (isFull) => void (world.isFull = isFull),
    spoil: () => renew({ settings: undefined }),
    set: (settings) => renew({ settings }),
    status: current,
    publications: () => publications,
    log,
    logged,
    control,
    now: time.now,
    sleepers: time.sleepers,
    listeners: () => getEventListeners(over.signal, 'abort').length,
    turns: () => world.turns,
    until,
    pass: async (ms) => {
      const end = time.clock.now() + ms;
      void time.clock.sleep(ms);
      return until(() => time.clock.now() >= end);
    },
    rests,
    oversleep: (ms) => {
      time.leap(ms);
      return rests();
    },
    setWall: time.setWall,
    request: (change) => updateOperatorRequests(documents.requests, change, time.now()),
    approve: (digest = current().awaited?.digest ?? 'nothing waits', reason?: string) => {
      return recordApproval(
        { document: (name) => (name === 'watch-state' ? documents.state : documents.requests) },
        { digest, by: 'ada', at: time.now(), ...present({ reason }) },
      );
    },
    byHand,
    holdUp: (method) => {
      const letGo = time.holdUp();
      let release = (): void => undefined;
      const held = new Promise<void>((done) => (release = done));
      const over = account.emulator.intercept(async (exchange, next) => {
        if (exchange.method === method) await held;
        return next();
      });
      return () => {
        letGo();
        over();
        release();
      };
    },
    spec: (address) =>
      account.emulator.snapshot().resources.find(({ id }) => id === account.state()?.entries[address]?.id)?.spec,
    writes: () =>
      account.emulator.log
        .filter(({ method, actor }) => method !== 'GET' && actor !== 'somebody')
        .map(({ method, path }) => `${method} ${path}`),
    commits: (approving) => renew({ commits: approving }),
    another: (stack) => begin(world, stack),
    rob: (command = 'sluice watch') => {
      const other = { ...newLease(command, new Date()), pid: process.ppid, processStart: '' };
      writeFileSync(join(dir, 'lock'), leaseText(other));
      world.leaders += 1;
    },
    stop,
  };
}

/** The real lock, which takes real time; whoever waits while another one has it can wait on the clock. */
async function leadIn(
  world: World,
  signal: AbortSignal,
  onWait: (holder: string, command?: string) => void,
  onHeartbeat: (quietMs: number) => void,
): Promise<Lock> {
  const { dir, time } = world;
  const taken = time.waitsFor(() => world.leaders === 0);
  try {
    const patience = Number.POSITIVE_INFINITY;
    const lock = await acquireLock(join(dir, 'lock'), 'sluice watch', { patience, signal, onWait, onHeartbeat });
    world.leaders += 1;
    return {
      ...lock,
      release: async () => {
        const released = time.waitsFor(() => true);
        await lock.release();
        world.leaders -= 1;
        released();
      },
    };
  } finally {
    taken();
  }
}

async function readFrom(world: World): Promise<{ readonly value: LoadedStack; readonly files: readonly string[] }> {
  const { account, settings, time } = world;
  world.turns += 1;
  if (settings === undefined)
    throw new InvalidInput([{ severity: 'error', code: 'INVALID_TYPE', message: 'interval must be a duration' }]);
  const files = world.files ?? {};
  const desired =
    world.loaded.get(files) ?? (await loadText(files, { kinds, profile: settings.profile ?? 'completed' }));
  world.loaded.set(files, desired);
  const { policy = { maxDeletes: { count: 100 }, block: [] }, intervalMs = 300_000, ...syncSettings } = settings;
  const value: LoadedStack = {
    desired,
    syncSettings: { ...usual, ...syncSettings },
    intervalMs,
    backoff: { first: 5_000, most: 600_000 },
    refresh: async (active) => {
      const { input, plan, decided } = await account.plan({ ...active, diagnostics: [] }, { allow: [], policy });
      return {
        input,
        plan,
        routing: plannedRouting(decided),
        isRecorded: settings.isRecorded ?? true,
        apply: ({ plan: applicable }, signal, onEvent) =>
          account.apply(applicable, { signal, onEvent, now: time.now, isRepeated: true }),
        close: () => Promise.resolve(),
      };
    },
  };
  return { value, files: [] };
}

/** A directory whose content the test sets. */
function scripted(world: World): WatchSource {
  let [last, lastRead, lastHead] = [0, 0, 0];
  return {
    read: async (work) => {
      const { version, head } = world;
      last = version;
      lastHead = head;
      if (world.files === undefined) throw new SourceError('SOURCE_MISSING', 'there is no such directory');
      const { value } = await work(world.dir, false);
      const isNew = lastRead !== version;
      lastRead = version;
      const commit = head === 1 ? {} : { commit: String(head).padStart(40, '0') };
      return { value, revision: { content: String(version).padStart(12, '0'), ...commit }, isNew };
    },
    changed: (signal) => until(() => world.version !== last || world.head !== lastHead, signal),
    contentChanged: (signal) => until(() => world.version !== last, signal),
    close: () => undefined,
  };

  async function until(holds: () => boolean, signal: AbortSignal): Promise<void> {
    while (!holds())
      await (world.isDeaf === true ? Promise.reject(new Error('EACCES')) : world.time.clock.sleep(500, signal));
  }
}
