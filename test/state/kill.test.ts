import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { killedStack, type KilledStack } from '../support/killed-stack.ts';
import { notBuilt } from '../support/processes.ts';

// `npm run test:kills` asks for a thousand.
const kills = Number(process.env['SLUICE_KILLS'] ?? 40);
const seed = Number(process.env['SLUICE_SEED'] ?? 1);

/** Where in a run the signal arrives. */
const moments = ['before the commit', 'after the commit', 'after the answer', 'replacing', 'releasing', 'any'] as const;
type Moment = (typeof moments)[number];

interface Kill {
  readonly moment: Moment;
  /** Of the writes, which one; of the times, which. */
  readonly at: number;
  readonly signal: 'SIGKILL' | 'SIGTERM';
}

describe.skipIf(notBuilt !== '')(`a process that is killed${notBuilt}`, () => {
  test(
    `leaves a state that can be read and an account that converges, wherever it happens (${kills} kills)`,
    { timeout: 60_000 + kills * 5_000 },
    async () => {
      const stack = await killedStack();
      const draw = dice(seed);
      let round = 0;
      for (let n = 0; n < kills; n++) {
        if (n % 4 === 0) await stack.write(manifests(round));
        const kill: Kill = {
          moment: moments[n % moments.length] ?? 'any',
          at: draw(8),
          signal: draw(3) === 0 ? 'SIGTERM' : 'SIGKILL',
        };
        await applyAndKill(stack, kill, draw);
        await stack.mustBeWhole().catch((error: unknown) => {
          throw new Error(`after kill ${n} (${JSON.stringify(kill)}), SLUICE_SEED=${seed}`, { cause: error });
        });
        if (n % 4 === 3 || n === kills - 1) await stack.mustConverge(addresses(round++));
      }
    },
  );
});

/** Some addresses and an edge with routes, others in each round, so that every run creates, updates and deletes. */
function manifests(round: number): string {
  const addrs = [0, 1, 2, 3].map(
    (n) =>
      `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: a${round + n}}\nlifecycle: {protect: false}\nspec: {region: eu, description: round ${round}}\n`,
  );
  const edge = `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec:\n  description: round ${round}\n  hostports: [shop.example.com:443]\n  routes:\n    - {name: r${round}, match_type: path_prefix, match: /${round}, backend: {backend_id: bkd_1}}\n`;
  return [...addrs, edge].join('---\n');
}

function addresses(round: number): string[] {
  return [...[0, 1, 2, 3].map((n) => `ReservedAddr/a${round + n}`), 'HTTPSEdge/shop', `HTTPSEdgeRoute/shop:r${round}`];
}

async function applyAndKill(
  stack: KilledStack,
  { moment, at, signal }: Kill,
  draw: (n: number) => number,
): Promise<void> {
  const { child, ended } = stack.apply();
  const strike = (): void => void child.kill(signal);
  const stop = await trap(stack, moment, at, strike);
  const timer = moment === 'any' ? setTimeout(strike, 150 + draw(400)) : undefined;
  const { code } = await ended;
  clearTimeout(timer);
  stop();
  expect([0, 130, 'SIGKILL', 'SIGTERM']).toContain(code);
}

/** Waits for the moment and strikes. Answers how to stop waiting. */
async function trap(
  { dir, emulator }: KilledStack,
  moment: Moment,
  at: number,
  strike: () => void,
): Promise<() => void> {
  if (moment === 'any') return () => undefined;
  if (moment === 'replacing' || moment === 'releasing') {
    await mkdir(join(dir, '.sluice'), { recursive: true });
    const sign = moment === 'replacing' ? /\.tmp-/ : /\.after-/;
    const watcher = watch(join(dir, '.sluice'), (_, name) => {
      if (name !== null && sign.test(name)) strike();
    });
    onTestFinished(() => watcher.close());
    return () => watcher.close();
  }
  let writes = 0;
  return emulator.intercept(async ({ method }, next) => {
    if (method === 'GET' || writes++ !== at) return next();
    if (moment === 'before the commit') strike();
    const answer = await next();
    if (moment === 'after the commit') strike();
    if (moment === 'after the answer') setImmediate(strike);
    return answer;
  });
}

/** Numbers below n that a seed draws the same each time. */
function dice(from: number): (n: number) => number {
  let state = from >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}
