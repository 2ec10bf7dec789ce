import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { readLease } from '../../src/state/lease/lease.ts';
import { leaseText } from '../../src/state/file/lock-heartbeat.ts';
import { startProgram, type ProcessEnd } from '../support/processes.ts';

/** A process that watches. */
export interface Replica {
  readonly child: ChildProcess;
  /** Its log so far. */
  readonly log: () => string;
  /** Waits until its log says something, after what it said when this was asked, if so wanted. */
  readonly says: (text: string, after?: number) => Promise<void>;
  /** Requests that it has sent so far, such as `GET /reserved_addrs`. */
  readonly requests: () => readonly string[];
  readonly ended: Promise<ProcessEnd>;
}

/** A stack that several processes watch, each with a key of its own, so that the service can tell them apart. */
export interface Shared {
  readonly dir: string;
  /** Where state, lock and operator requests are. */
  readonly kept: string;
  readonly lock: string;
  readonly url: string;
  readonly emulator: Emulator;
  readonly write: (manifests: string) => void;
  readonly watch: (key: string, options?: StartOptions) => Replica;
  /** Runs another command to its end, in some directory. */
  readonly run: (cwd: string, args: readonly string[]) => Promise<ProcessEnd>;
  /** Has the lock look as one does whose holder is on another machine, and has not been heard of for a minute. */
  readonly silence: () => void;
  /** Has writes of a replica wait in the service, after so many that go through. Answers how to let them go on. */
  readonly holdUp: (key: string, after?: number) => Held;
  /** What is there, by description. */
  readonly described: () => readonly unknown[];
}

/** Writes that wait in the service. */
export interface Held {
  readonly caught: () => number;
  readonly release: () => void;
}

/** How a replica is started, if not in the stack's directory with one request at a time. */
export interface StartOptions {
  readonly cwd?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A shell line that ends in the program. */
  readonly shell?: (command: string) => string;
}

/** Waits until something holds, for at most half a minute; then tells what was there instead. */
export async function eventually(holds: () => boolean | Promise<boolean>, instead: () => string): Promise<void> {
  for (let tries = 0; tries < 2_400 && !(await holds()); tries++) await new Promise((done) => setTimeout(done, 50));
  expect(await holds(), instead()).toBe(true);
}

/** Makes such a stack; all of it goes with the test. */
export async function shared(manifests: string, watch = 'prune: true, heal_drift: true'): Promise<Shared> {
  const emulator = createEmulator();
  const { url, close } = await emulator.listen();
  const root = mkdtempSync(join(tmpdir(), 'sluice-replicas-'));
  const [dir, kept] = [join(root, 'tree'), join(root, 'kept')];
  const lock = join(kept, 'lock');
  const sent: { readonly key: string; readonly request: string }[] = [];
  emulator.intercept(({ headers, method, path }, next) => {
    sent.push({ key: headers['authorization'] ?? '', request: `${method} ${path}` });
    return next();
  });
  onTestFinished(async () => {
    await close();
    rmSync(root, { recursive: true, force: true });
  });
  mkdirSync(join(dir, 'manifests'), { recursive: true });
  writeFileSync(join(dir, 'sluice.yaml'), stackFile(url, join(kept, 'state.json'), watch));
  const write = (text: string): void => writeFileSync(join(dir, 'manifests/all.yaml'), text);
  write(manifests);
  return {
    dir,
    kept,
    lock,
    url,
    emulator,
    write,
    watch: (key, { cwd = dir, args = [], env = {}, shell } = {}) => {
      const command = ['watch', '--no-listen', '--poll', '--parallelism', '1', ...args];
      const { child, ended } = startProgram(cwd, command, { SLUICE_API_KEY: key, ...env }, shell);
      let log = '';
      child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
      onTestFinished(async () => {
        child.kill('SIGKILL');
        await ended;
      });
      return {
        child,
        ended,
        log: () => log,
        says: (text, after = 0) =>
          eventually(
            () => log.slice(after).includes(text),
            () => `${key}, not "${text}":\n${log}`,
          ),
        requests: () => sent.flatMap((one) => (one.key === `Bearer ${key}` ? [one.request] : [])),
      };
    },
    run: (cwd, args) => startProgram(cwd, args, { SLUICE_API_KEY: 'person' }).ended,
    silence: () => {
      const lease = readLease(readFileSync(lock, 'utf8'));
      if (lease === undefined) throw new Error('nobody holds the lock');
      writeFileSync(lock, leaseText({ ...lease, machine: 'elsewhere'.padEnd(lease.machine.length) }), { flag: 'r+' });
      const past = new Date(Date.now() - 60_000);
      utimesSync(lock, past, past);
    },
    holdUp: (key, after = 0) => {
      let release = (): void => undefined;
      const held = new Promise<void>((done) => (release = done));
      let [writes, caught] = [0, 0];
      emulator.intercept(async ({ method, headers }, next) => {
        if (method === 'GET' || headers['authorization'] !== `Bearer ${key}` || writes++ < after) return next();
        caught += 1;
        await held;
        return next();
      });
      return { caught: () => caught, release };
    },
    described: () =>
      emulator
        .snapshot()
        .resources.map(({ spec }) => spec['description'])
        .sort(),
  };
}

function stackFile(url: string, state: string, watch: string): string {
  return `version: 1
stack: {name: company, id: 5c1e7a90}
manifests: [manifests]
policy: {max_deletes: 100}
api: {base_url: "${url}", vendor: example}
state: {path: ${state}}
watch: {interval: 1s, debounce: 1s, scan_interval: 1s, ${watch}}
`;
}
