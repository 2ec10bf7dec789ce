/*
 * What three replicas take that divide many unchanged stacks of one account, whose state is in PostgreSQL, and what it
 * takes to go on without one of them that is killed. In the end one replica has all stacks.
 */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { usualTiming } from '../test/support/usual-timing.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { pagesOf, writeStack } from './fleet-stacks.ts';
import { planWithoutStartup } from './fleet.ts';
import type { Line } from './line.ts';
import { benchStack, type BenchStack } from './stack.ts';
import { inSync, looks, observe, pause, until, watchFleet, type Observed, type WatchedFleet } from './watched-fleet.ts';

const stacks = Number(process.env['BENCH_FLEET'] ?? 200);
const intervalMs = Number(process.env['BENCH_FLEET_INTERVAL'] ?? 90) * 1000;
const quota = process.env['BENCH_FLEET_QUOTA'] ?? '6000/60s';
const replicaCount = 3;
const watchedIntervals = 2;

/** Measures them. */
export async function replicas(): Promise<Line[]> {
  const database = await startPostgres();
  const account = await benchStack('--rate-limit', quota);
  const env = { SLUICE_API_KEY: 'bench', SLUICE_BASE_URL: account.url, SLUICE_STATE_URL: database.url };
  const running = new Set<WatchedFleet>();
  const state = 'state: {postgres: {url: {from_env: SLUICE_STATE_URL}}}\n';

  async function start(dir: string, fleet: string): Promise<WatchedFleet> {
    const file = join(account.dir, `${fleet}.yaml`);
    writeFileSync(file, `version: 1\nfleet: ${fleet}\n${state}`, { mode: 0o644 });
    const started = await watchFleet(dir, env, '--replicas', file);
    running.add(started);
    return started;
  }
  async function end(one: WatchedFleet, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    running.delete(one);
    await one.end(signal);
  }
  const connections = async (): Promise<number> => {
    const [row] = await database.run(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE backend_type = 'client backend'",
    );
    return Number(row?.['n']) - 1;
  };

  try {
    const options = { url: account.url, intervalMs, rate: quota, more: state };
    const [alone, many] = [join(account.dir, 'alone'), join(account.dir, 'many-0')];
    writeStack(join(alone, 'alone'), { ...options, name: 'alone', n: 0xffffffff });
    for (let n = 0; n < stacks; n++) {
      const name = `stack-${String(n)}`;
      writeStack(join(many, name), { ...options, name, n });
    }
    const all: WatchedFleet[] = [];
    for (let n = 0; n < replicaCount; n++) {
      const dir = join(account.dir, `many-${String(n)}`);
      if (n > 0) cpSync(many, dir, { recursive: true });
      all.push(await start(dir, 'many'));
    }
    await until('the replicas have all stacks in sync', () => isDivided(all, stacks));
    const refusedAtFirst = refused(account.requests());
    const planned = await planWithoutStartup(join(many, 'stack-0'), env);
    await pause(2 * intervalMs);
    await until('the replicas have all stacks in sync', () => isDivided(all, stacks));
    account.requests();
    const divided = await observe(all, watchedIntervals * intervalMs, intervalMs / 9);
    const ofDivided = account.requests();
    const shares = await Promise.all(all.map(async ({ metrics }) => looks(await metrics()).size));
    const held = all.map(({ holds }) => holds());
    const connectionsOfAll = await connections();

    const [killed, stopped, last] = all as [WatchedFleet, WatchedFleet, WatchedFleet];
    const orphans = [...looks(await killed.metrics()).keys()];
    const killedAt = Date.now();
    await end(killed, 'SIGKILL');
    const others = [stopped, last];
    await until('the stacks of the killed replica are looked at', async () => {
      const now = new Map((await Promise.all(others.map(async ({ metrics }) => [...looks(await metrics())]))).flat());
      return orphans.every((name) => (now.get(name) ?? 0) * 1000 > killedAt);
    });
    const takenMs = Date.now() - killedAt;

    await end(stopped, 'SIGTERM');
    await until('the last replica has all stacks in sync', () => isDivided([last], stacks));
    await pause(intervalMs);
    account.requests();
    const one = await observe([last], watchedIntervals * intervalMs, intervalMs / 9);
    const ofOne = account.requests();
    const holds = { ...last.holds(), connections: await connections() };

    await end(last, 'SIGTERM');

    // It lists the same account.
    const single = await start(alone, 'alone');
    await until('one stack is in sync', async () => inSync(await single.metrics()) === 1);
    await pause(2 * intervalMs);
    const base = { ...(await observe([single], 1_000, 1_000)), ...single.holds(), connections: await connections() };

    const pages = pagesOf(stacks);
    const shared = { base, pages, planned };
    const three = `fleet of ${String(stacks)}, ${String(replicaCount)} replicas`;
    const most = Math.max(...shares);
    const { durationMs } = usualTiming;
    return [
      ...figures(three, divided, ofDivided, { ...shared, listing: replicaCount, held: most }),
      {
        what: `${three}: refused (429) of all requests, at ${quota}, also as all was created`,
        figure: refusedAtFirst + refused(ofDivided) + refused(ofOne),
        most: 0,
      },
      {
        what: `${three}: until the stacks of a killed one were refreshed, less the lease duration / interval`,
        figure: (takenMs - durationMs) / intervalMs,
        most: 1,
        from: `${(takenMs / 1000).toFixed(0)} s for ${String(orphans.length)} stacks; lease ${String(durationMs / 1000)} s, interval ${String(intervalMs / 1000)} s`,
      },
      ...more(`${three}, of ${shares.join(', ')} stacks`, base, {
        files: Math.max(...held.map(({ files }) => files)),
        threads: Math.max(...held.map(({ threads }) => threads)),
        connections: connectionsOfAll / replicaCount,
      }),
      ...figures(`fleet of ${String(stacks)}, one replica`, one, ofOne, { ...shared, listing: 1, held: stacks }),
      ...more(`fleet of ${String(stacks)}, one replica`, base, holds),
      {
        what: `fleet of ${String(stacks)}: resident memory of one more idle stack, beside ${String(most)} or more`,
        figure: (one.residentMiB - divided.residentMiB) / (stacks - most),
        most: 1,
        unit: ' MiB',
        from: `${one.residentMiB.toFixed(0)} MiB with ${String(stacks)}; ${divided.residentMiB.toFixed(0)} MiB with ${String(most)}`,
      },
    ];
  } finally {
    for (const one of running) await one.end('SIGKILL');
    await account.end();
    await database.stop();
  }
}

/** Each stack is in sync with one of them, and they have about equally many. */
async function isDivided(all: readonly WatchedFleet[], count: number): Promise<boolean> {
  const own = await Promise.all(all.map(async ({ metrics }) => inSync(await metrics())));
  const share = Math.floor(count / all.length);
  return own.reduce((sum, one) => sum + one, 0) === count && own.every((one) => one >= share - 1);
}

function refused(requests: ReturnType<BenchStack['requests']>): number {
  return requests.filter(({ status }) => status === 429).length;
}

interface Held {
  readonly files: number;
  readonly threads: number;
  readonly connections: number;
}

// Of the stores, four of them for heartbeats, as docs/how-to/watch-many-stacks.md says.
const mostConnections = 8;

/** What a process with many stacks has open, beyond one with a single stack or at all. */
function more(name: string, base: Held, held: Held): Line[] {
  return [
    ...(['files', 'threads'] as const).map((what) => ({
      what: `${name}: open ${what}, more than with one stack`,
      figure: held[what] - base[what],
      most: what === 'files' ? 20 : 0,
      from: `${String(held[what])} / ${String(base[what])}`,
    })),
    {
      what: `${name}: open connections to PostgreSQL of a process`,
      figure: held.connections,
      most: mostConnections,
      from: `one stack ${String(base.connections)}`,
    },
  ];
}

function figures(
  name: string,
  seen: Observed,
  requests: ReturnType<BenchStack['requests']>,
  {
    base,
    pages,
    planned,
    listing,
    held,
  }: {
    readonly base: Observed;
    readonly pages: number;
    readonly planned: number;
    readonly listing: number;
    readonly held: number;
  },
): Line[] {
  const turn = seen.cpuMs / seen.turns;
  const each = requests.length / watchedIntervals;
  return [
    {
      what: `${name}: longest time between two turns of a stack / interval`,
      figure: seen.longestMs / intervalMs,
      most: 2,
      from: `${(seen.longestMs / 1000).toFixed(0)} s`,
    },
    {
      what: `${name}: requests in one interval / pages of the account for each replica`,
      figure: each / (pages * listing),
      most: 1.5,
      from: `${each.toFixed(0)} / ${String(pages * listing)}`,
    },
    {
      what: `${name}: resident memory of one more idle stack`,
      figure: (seen.residentMiB - base.residentMiB) / (held - 1),
      most: 1,
      unit: ' MiB',
      from: `${seen.residentMiB.toFixed(0)} MiB with ${String(held)}; one stack ${base.residentMiB.toFixed(0)} MiB`,
    },
    {
      what: `${name}: CPU of a turn of an unchanged stack / a plan without start-up`,
      figure: turn / planned,
      most: 2,
      from: `${turn.toFixed(1)} ms / ${planned.toFixed(1)} ms`,
    },
  ];
}
