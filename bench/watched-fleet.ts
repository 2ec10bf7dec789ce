import { fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';

/** The samples of a process by name, as it serves them. */
export type Samples = ReadonlyMap<string, number>;

/** A process that watches the stacks of a directory. */
export interface WatchedFleet {
  readonly metrics: () => Promise<Samples>;
  /** What the machine holds for it. */
  readonly holds: () => { readonly files: number; readonly threads: number };
  /** Stops it, or kills it. */
  readonly end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
}

/** Watches them as examples/deploy does. */
export async function watchFleet(
  dir: string,
  env: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): Promise<WatchedFleet> {
  const child = fork(resolve('dist/sluice.js'), ['watch', '--fleet', dir, '--listen', '127.0.0.1:0', ...flags], {
    env: { ...process.env, ...env },
    silent: true,
    execArgv: ['--max-old-space-size=256', '--max-semi-space-size=2'],
  });
  const gone = new Promise<void>((done) => child.once('exit', () => done()));
  const url = await new Promise<string>((done, failed) => {
    let text = '';
    child.once('exit', () => failed(new Error(`the watch ended early: ${text}`)));
    child.stdout?.resume();
    child.stderr?.on('data', (chunk) => {
      text = (text + String(chunk)).slice(0, 10_000);
      const [, served] = /status page at (http:[^" ]+)/.exec(text) ?? [];
      if (served !== undefined) done(served);
    });
  });
  const own = `/proc/${String(child.pid)}`;
  return {
    metrics: async () => {
      const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text();
      const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      return new Map(
        samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
      );
    },
    holds: () => ({ files: readdirSync(`${own}/fd`).length, threads: readdirSync(`${own}/task`).length }),
    end: async (signal) => {
      child.kill(signal);
      await gone;
    },
  };
}

/** How many stacks are in sync, of those that a process has. */
export function inSync(samples: Samples): number {
  return samples.get('sluice_fleet_stacks{condition="in-sync"}') ?? 0;
}

/** When each stack that a process has was looked at last, in seconds since 1970. */
export function looks(samples: Samples): Samples {
  return new Map([...samples].filter(([name]) => name.startsWith('sluice_last_refresh_timestamp_seconds')));
}

/** What fleets did for a while. */
export interface Observed {
  /** The longest time between two looks at a stack, whoever had it. */
  readonly longestMs: number;
  readonly turns: number;
  readonly cpuMs: number;
  /** Of the process that needs most, at the end. */
  readonly residentMiB: number;
}

/** Observes unchanged fleets that have all their stacks in sync. */
export async function observe(fleets: readonly WatchedFleet[], forMs: number, everyMs: number): Promise<Observed> {
  const all = (): Promise<Samples[]> => Promise.all(fleets.map(({ metrics }) => metrics()));
  const before = await all();
  const turns = new Map(before.flatMap((samples) => [...looks(samples)]).map(([name, at]) => [name, [at]]));
  const end = Date.now() + forMs;
  let now = before;
  while (Date.now() < end) {
    await pause(everyMs);
    now = await all();
    const latest = new Map(now.flatMap((samples) => [...looks(samples)]));
    for (const [name, times] of turns) {
      const at = latest.get(name);
      if (at !== undefined && at !== times.at(-1)) times.push(at);
    }
  }
  const gaps = [...turns.values()].flatMap((times) =>
    [...times.slice(1), Date.now() / 1000].map((at, n) => at - (times[n] ?? at)),
  );
  const cpu = (samples: readonly Samples[]): number =>
    samples.reduce((sum, one) => sum + (one.get('process_cpu_seconds_total') ?? NaN), 0);
  return {
    longestMs: Math.max(...gaps) * 1000,
    turns: [...turns.values()].reduce((sum, times) => sum + times.length - 1, 0),
    cpuMs: (cpu(now) - cpu(before)) * 1000,
    residentMiB: Math.max(...now.map((one) => one.get('process_resident_memory_bytes') ?? NaN)) / 2 ** 20,
  };
}

/** Waits until something holds. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    if (await holds()) return;
    await pause(1_000);
  }
  throw new Error(`after twenty minutes and more it still does not hold that ${what}`);
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
