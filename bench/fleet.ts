import { join, resolve } from 'node:path';
import { pagesOf, writeStack } from './fleet-stacks.ts';
import type { Line } from './line.ts';
import { benchStack, used, type BenchStack } from './stack.ts';
import { inSync, observe, pause, until, watchFleet, type Observed } from './watched-fleet.ts';

const stacks = Number(process.env['BENCH_FLEET'] ?? 200);
const intervalMs = Number(process.env['BENCH_FLEET_INTERVAL'] ?? 30) * 1000;
const watchedIntervals = 3;

/** What one process takes that watches many unchanged stacks of one account. */
export async function fleet(): Promise<Line[]> {
  const account = await benchStack();
  const { url } = account;
  try {
    const [alone, many] = [join(account.dir, 'alone'), join(account.dir, 'many')];
    writeStack(join(alone, 'alone'), { name: 'alone', n: 0xffffffff, url, intervalMs });
    for (let n = 0; n < stacks; n++) {
      const name = `stack-${String(n)}`;
      writeStack(join(many, name), { name, n, url, intervalMs });
    }
    for (const [dir, count] of [
      [alone, 1],
      [many, stacks],
    ] as const)
      await watched(account, dir, count);
    const planned = await planWithoutStartup(join(many, 'stack-0'));
    const base = await watched(account, alone, 1, watchedIntervals);
    const seen = await watched(account, many, stacks, watchedIntervals);
    const pages = pagesOf(stacks + 1);
    const turn = seen.cpuMs / seen.turns;
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

/** The CPU time of a plan of a stack in a process that has planned it before. */
export async function planWithoutStartup(dir: string, env: Readonly<Record<string, string>> = {}): Promise<number> {
  const { out } = await used(resolve('bench/plan-again.mjs'), [dir], undefined, env);
  return Number(out);
}

/** Watches the stacks of a directory until all are in sync, and then for so many intervals. */
async function watched(
  account: BenchStack,
  dir: string,
  count: number,
  intervals = 0,
): Promise<Observed & { readonly requests: number }> {
  const watch = await watchFleet(dir, { SLUICE_API_KEY: 'bench', SLUICE_BASE_URL: account.url });
  try {
    await until('the fleet is in sync', async () => inSync(await watch.metrics()) === count);
    if (intervals > 0) await pause(2 * intervalMs);
    account.requests();
    const seen = await observe([watch], intervals * intervalMs, intervalMs / 6);
    return { ...seen, requests: account.requests().length };
  } finally {
    await watch.end('SIGTERM');
  }
}
