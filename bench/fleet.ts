import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { best, type Line } from './line.ts';
import { benchStack, used, type BenchStack } from './stack.ts';

const stacks = Number(process.env['BENCH_FLEET'] ?? 200);
const resources = 50;
const intervalMs = Number(process.env['BENCH_FLEET_INTERVAL'] ?? 30) * 1000;
const watchedIntervals = 3;
const perPage = 100;

/** What one process takes that watches many unchanged stacks of one account. */
export async function fleet(): Promise<Line[]> {
  const account = await benchStack();
  try {
    const nothing = join(account.dir, 'empty.yaml');
    writeFileSync(nothing, '');
    const startup = await planOf(account.dir, '-f', nothing);
    const [alone, many] = [join(account.dir, 'alone'), join(account.dir, 'many')];
    writeStack(account, alone, 'alone', 0xffffffff);
    for (let n = 0; n < stacks; n++) writeStack(account, many, `stack-${String(n)}`, n);
    for (const [dir, count] of [
      [alone, 1],
      [many, stacks],
    ] as const)
      await watching(account, dir, (metrics) => until(metrics, (now) => isInSync(now, count)));
    const plan = await planOf(join(many, 'stack-0'));
    const base = await watching(account, alone, (metrics) => observe(metrics, account, 1));
    const seen = await watching(account, many, (metrics) => observe(metrics, account, stacks));
    const pages = Math.ceil(((stacks + 1) * (resources - 10)) / perPage) + Math.ceil(((stacks + 1) * 10) / perPage);
    const [turn, planned] = [seen.cpuMs / seen.turns, plan - startup];
    const name = `fleet of ${String(stacks)}`;
    return [
      {
        what: `${name}: longest time between two turns of a stack / interval`,
        figure: seen.longestMs / intervalMs,
        most: 2,
      },
      {
        what: `${name}: requests in one interval / pages of the account`,
        figure: seen.requests / watchedIntervals / pages,
        most: 1.5,
        from: `${String(Math.round(seen.requests / watchedIntervals))} / ${String(pages)}`,
      },
      {
        what: `${name}: resident memory of one more idle stack`,
        figure: (seen.residentMiB - base.residentMiB) / (stacks - 1),
        most: 1,
        unit: ' MiB',
        from: `${seen.residentMiB.toFixed(0)} MiB; one stack ${base.residentMiB.toFixed(0)} MiB`,
      },
      {
        what: `${name}: CPU of a turn of an unchanged stack / a plan without start-up`,
        figure: turn / planned,
        most: 2,
        from: `${turn.toFixed(1)} ms / ${planned.toFixed(1)} ms`,
      },
    ];
  } finally {
    await account.end();
  }
}

async function planOf(dir: string, ...flags: readonly string[]): Promise<number> {
  const { cpuMs } = await best(
    3,
    () => used(resolve('dist/sluice.js'), ['-C', dir, 'plan', ...flags]),
    (one) => one.cpuMs,
  );
  return cpuMs;
}

function writeStack({ url }: BenchStack, fleetDir: string, name: string, n: number): void {
  const dir = join(fleetDir, name);
  mkdirSync(join(dir, 'manifests'), { recursive: true });
  const id = n.toString(16).padStart(8, '0');
  const settings = `watch: {interval: ${String(intervalMs / 1000)}s, debounce: 1s, prune: true}`;
  writeFileSync(
    join(dir, 'sluice.yaml'),
    `version: 1\napi: {base_url: "${url}", vendor: example}\nstack: {name: ${name}, id: "${id}"}\nmanifests: [manifests]\n${settings}\n`,
  );
  const documents = Array.from({ length: resources }, (_, one) =>
    one < 10
      ? `apiVersion: sluice/v1\nkind: EventSubscription\nmetadata: {name: s-${String(one)}}\nspec: {description: Of ${name}, sources: [{type: ip_policy_created.v0}], destination_ids: [ed_bench]}\n`
      : `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: a-${String(one)}}\nspec: {region: eu, description: Of ${name}}\n`,
  );
  writeFileSync(join(dir, 'manifests/all.yaml'), documents.join('---\n'));
}

interface Observed {
  readonly longestMs: number;
  readonly turns: number;
  readonly cpuMs: number;
  readonly requests: number;
  readonly residentMiB: number;
}

/** Observes an unchanged fleet for some intervals, once all of its stacks have been looked at twice. */
async function observe(metrics: ReadMetrics, account: BenchStack, count: number): Promise<Observed> {
  await until(metrics, (now) => isInSync(now, count));
  await pause(2 * intervalMs);
  const before = await metrics();
  account.requests();
  const turns = new Map([...before].filter(([name]) => name.startsWith(refreshed)).map(([name, at]) => [name, [at]]));
  const end = Date.now() + watchedIntervals * intervalMs;
  let now = before;
  while (Date.now() < end) {
    await pause(intervalMs / 6);
    now = await metrics();
    for (const [name, times] of turns) if (now.get(name) !== times.at(-1)) times.push(now.get(name) ?? NaN);
  }
  const requests = account.requests().length;
  const gaps = [...turns.values()].flatMap((times) =>
    [...times.slice(1), Date.now() / 1000].map((at, n) => at - (times[n] ?? at)),
  );
  const total = (name: string): number => (now.get(name) ?? NaN) - (before.get(name) ?? NaN);
  return {
    longestMs: Math.max(...gaps) * 1000,
    turns: [...turns.values()].reduce((sum, times) => sum + times.length - 1, 0),
    cpuMs: total('process_cpu_seconds_total') * 1000,
    requests,
    residentMiB: (now.get('process_resident_memory_bytes') ?? NaN) / 2 ** 20,
  };
}

const refreshed = 'sluice_last_refresh_timestamp_seconds';

function isInSync(now: ReadonlyMap<string, number>, count: number): boolean {
  return now.get('sluice_fleet_stacks{condition="in-sync"}') === count;
}

type ReadMetrics = () => Promise<ReadonlyMap<string, number>>;

/** Watches the stacks of a directory, as examples/deploy does, for as long as something takes. */
async function watching<T>(account: BenchStack, dir: string, work: (metrics: ReadMetrics) => Promise<T>): Promise<T> {
  const watch = fork(resolve('dist/sluice.js'), ['watch', '--fleet', dir, '--listen', '127.0.0.1:0'], {
    env: { ...process.env, SLUICE_API_KEY: 'bench', SLUICE_BASE_URL: account.url },
    silent: true,
    execArgv: ['--max-old-space-size=256', '--max-semi-space-size=2'],
  });
  try {
    const url = await servedBy(watch);
    return await work(async () => {
      const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text();
      const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      return new Map(
        samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
      );
    });
  } finally {
    const gone = new Promise((done) => watch.once('exit', done));
    watch.kill('SIGTERM');
    await gone;
  }
}

function servedBy(watch: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    let text = '';
    watch.once('exit', () => failed(new Error(`the watch ended early: ${text}`)));
    watch.stdout?.resume();
    watch.stderr?.on('data', (chunk) => {
      text = (text + String(chunk)).slice(0, 10_000);
      const [, url] = /status page at (http:[^" ]+)/.exec(text) ?? [];
      if (url !== undefined) done(url);
    });
  });
}

async function until(metrics: ReadMetrics, holds: (now: ReadonlyMap<string, number>) => boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (holds(await metrics())) return;
    await pause(1_000);
  }
  throw new Error('the fleet is not in sync after ten minutes');
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
