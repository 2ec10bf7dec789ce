import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { killedStack, type KilledStack } from '../support/killed-stack.ts';
import { notBuilt } from '../support/processes.ts';
import { sampleSize } from '../support/samples.ts';

// `npm run test:kills` asks for each request and a thousand times.
const asked = process.env['SLUICE_KILLS'];
const isWhole = asked !== undefined;
const times = Number(asked ?? sampleSize(6, 18));
const timesEach = sampleSize(1, 3);
const seed = Number(process.env['SLUICE_SEED'] ?? 1);

const points = ['before the commit', 'after the commit', 'after the answer'] as const;
const writes = ['replacing', 'releasing'] as const;
const signals = ['SIGKILL', 'SIGTERM'] as const;

/** Where in a run the signal arrives. */
type Kill = { readonly signal: (typeof signals)[number] } & (
  | { readonly point: (typeof points)[number]; readonly request: number }
  | { readonly point: (typeof writes)[number] }
  | { readonly point: 'after so long'; readonly ms: number }
);

describe.skipIf(notBuilt !== '')(`a process that is killed${notBuilt}`, () => {
  test(
    'around any request leaves a state that can be read and an account that converges',
    { timeout: isWhole ? 3_600_000 : 600_000 },
    async () => {
      const scene = await sceneOf();
      const draw = dice(seed);
      for (const point of points)
        for (const signal of signals)
          for (let n = 1; isWhole || n <= timesEach; n++) {
            const request = isWhole ? n : 1 + draw(12);
            const isMet = await scene.kill({ point, request, signal });
            if (isWhole || n === timesEach) await scene.converge();
            // Beyond the last request of a run, all have had their turn.
            if (isWhole && !isMet) break;
          }
      for (const point of writes) {
        for (const signal of signals) await scene.kill({ point, signal });
        await scene.converge();
      }
      scene.tell('around each request');
    },
  );

  test(`at random times leaves them as well (${times} times)`, { timeout: 240_000 + times * 20_000 }, async () => {
    const scene = await sceneOf();
    const draw = dice(seed);
    await scene.next();
    const begun = performance.now();
    await scene.stack.apply().ended;
    const usual = Math.ceil(performance.now() - begun);
    await scene.converge();
    for (let n = 0; n < times; n++) {
      await scene.kill({
        point: 'after so long',
        ms: draw(usual),
        signal: draw(3) === 0 ? 'SIGTERM' : 'SIGKILL',
      });
      if (n % 4 === 3 || n === times - 1) await scene.converge();
    }
    scene.tell('at random times');
  });
});

/** A stack that has something new to do, and is killed while it does it, until it has to converge. */
interface Scene {
  readonly stack: KilledStack;
  readonly next: () => Promise<void>;
  /** Applies and kills, and insists on a whole state. Answers whether the moment came. */
  readonly kill: (kill: Kill) => Promise<boolean>;
  readonly converge: () => Promise<void>;
  readonly tell: (where: string) => void;
}

async function sceneOf(): Promise<Scene> {
  const stack = await killedStack();
  const ends = new Map<string, number>();
  let round = 0;
  let isNew = false;
  const next = async (): Promise<void> => {
    if (!isNew) await stack.write(manifests(round));
    isNew = true;
  };
  return {
    stack,
    next,
    kill: async (kill) => {
      await next();
      const { isMet, code } = await applyAndKill(stack, kill);
      ends.set(String(code), (ends.get(String(code)) ?? 0) + 1);
      await stack.mustBeWhole().catch((error: unknown) => {
        throw new Error(`after ${JSON.stringify(kill)}, SLUICE_SEED=${seed}`, { cause: error });
      });
      return isMet;
    },
    converge: async () => {
      await stack.mustConverge(addresses(round++));
      isNew = false;
    },
    tell: (where) => {
      const counts = [...ends].map(([code, count]) => `${count} ended with ${code}`).join(', ');
      if (isWhole) process.stdout.write(`killed ${where}: ${counts}\n`);
    },
  };
}

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
  kill: Kill,
): Promise<{ readonly isMet: boolean; readonly code: number | string | null }> {
  const { child, ended } = stack.apply();
  let isMet = false;
  const killNow = (): void => {
    isMet = true;
    child.kill(kill.signal);
  };
  const stop = await trap(stack, kill, killNow);
  const { code } = await ended;
  stop();
  expect([0, 130, 'SIGKILL', 'SIGTERM']).toContain(code);
  return { isMet, code };
}

/** Waits for the moment and strikes. Answers how to stop waiting. */
async function trap({ dir, emulator }: KilledStack, kill: Kill, killNow: () => void): Promise<() => void> {
  if (kill.point === 'after so long') {
    const timer = setTimeout(killNow, kill.ms);
    return () => {
      clearTimeout(timer);
    };
  }
  if (!('request' in kill)) {
    await mkdir(join(dir, '.sluice'), { recursive: true });
    const sign = kill.point === 'replacing' ? /\.tmp-/ : /\.after-/;
    const watcher = watch(join(dir, '.sluice'), (_, name) => {
      if (name !== null && sign.test(name)) killNow();
    });
    onTestFinished(() => watcher.close());
    return () => watcher.close();
  }
  let requests = 0;
  return emulator.intercept(async (_, next) => {
    if (++requests !== kill.request) return next();
    if (kill.point === 'before the commit') killNow();
    const answer = await next();
    if (kill.point === 'after the commit') killNow();
    if (kill.point === 'after the answer') setImmediate(killNow);
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
