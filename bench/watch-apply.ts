import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { writeCorpus } from './corpus.ts';
import type { Line } from './line.ts';
import { benchStack, type Usage } from './stack.ts';

const few = 500;
const many = 10_000;

/** What applying costs a watch as its stack grows, and how long the steps of its event loop are. */
export async function watchApply(): Promise<Line[]> {
  const small = await watched(few);
  const large = await watched(many);
  const each = (measured: Watched, count: number): number => measured.creations.cpuMs / count;
  return [
    {
      what: 'watch: CPU per creation at 10,000 / at 500',
      figure: each(large, many) / each(small, few),
      most: 1.1,
      from: `${each(large, many).toFixed(2)} ms / ${each(small, few).toFixed(2)} ms`,
    },
    {
      what: 'watch: one change among 10,000: CPU / a plan',
      figure: large.change.cpuMs / large.plan.cpuMs,
      most: 1,
      from: `${large.change.cpuMs.toFixed(0)} ms / ${large.plan.cpuMs.toFixed(0)} ms`,
    },
    ...Object.entries({
      'start, nothing changes': large.start,
      'one change': large.change,
      '10,000 creations': large.creations,
      'page and metrics': large.served,
    }).map(([when, { longestStepMs }]) => ({
      what: `watch: longest step of the event loop, 10,000 resources: ${when}`,
      figure: longestStepMs,
      most: 50,
      unit: ' ms',
    })),
  ];
}

interface Spent {
  readonly cpuMs: number;
  /** The most CPU between two turns of the event loop, apart from garbage collection. */
  readonly longestStepMs: number;
}

interface Watched {
  readonly creations: Spent;
  readonly change: Spent;
  /** A watch that starts and finds nothing to do. */
  readonly start: Spent;
  /** Its status page and metrics are asked for. */
  readonly served: Spent;
  readonly plan: Usage;
}

/** A watch that creates so many resources, and then changes one of them. */
async function watched(resources: number): Promise<Watched> {
  const stack = await benchStack();
  const one = (text: string): void => {
    mkdirSync(join(stack.dir, 'manifests'), { recursive: true });
    const lines = ['apiVersion: sluice/v1', 'kind: ReservedAddr', 'metadata: {name: first}'];
    const spec = `spec: {region: eu, description: ${text}}`;
    writeFileSync(
      join(stack.dir, 'manifests', 'first.yaml'),
      [...lines, 'lifecycle: {protect: false}', spec, ''].join('\n'),
    );
  };
  one('before');
  let watch = startWatch(stack.dir);
  // With what follows an apply: the status, and what is saved of it.
  const spentOnApply = async (next?: 'steps'): Promise<Spent> => {
    await watch.applied();
    await setTimeout(3_000);
    return watch.spent(next);
  };
  try {
    await spentOnApply('steps');
    writeCorpus(stack.dir, resources);
    const creations = await spentOnApply('steps');
    one('after');
    const { longestStepMs } = await spentOnApply();
    one('last');
    const change = { ...(await spentOnApply()), longestStepMs };
    await watch.end();
    watch = startWatch(stack.dir);
    await watch.listens();
    await watch.spent('steps');
    await watch.inSync();
    const start = await watch.spent('steps');
    for (const path of ['/', '/metrics', '/?q=shop']) await watch.get(path);
    const served = await watch.spent();
    return { creations, change, start, served, plan: await stack.sluice('plan') };
  } finally {
    await watch.end();
    await stack.end();
  }
}

/** A watch that runs. */
interface RunningWatch {
  /** Waits for the end of the next apply. */
  readonly applied: () => Promise<unknown>;
  /** Waits until it serves its status. */
  readonly listens: () => Promise<unknown>;
  /** Waits until all resources are in sync. */
  readonly inSync: () => Promise<void>;
  /** What it has spent since this was asked last, with its steps if they were asked for then; they are watched from now on if asked for. */
  readonly spent: (next?: 'steps') => Promise<Spent>;
  readonly get: (path: string) => Promise<string>;
  readonly end: () => Promise<void>;
}

const listening = /status page at (http:[^" ]+)/;

function startWatch(dir: string): RunningWatch {
  const child = fork(resolve('dist/sluice.js'), ['-C', dir, 'watch', '--listen', '127.0.0.1:0'], {
    env: { ...process.env, SLUICE_API_KEY: 'bench' },
    silent: true,
    execArgv: ['--import', resolve('bench/usage.mjs')],
  });
  const gone = new Promise((done) => child.once('exit', done));
  const log = logOf(child);
  const get = async (path: string): Promise<string> => {
    const url = await log.next(listening, 'keep');
    const answer = await fetch(url + path);
    return answer.text();
  };
  return {
    applied: () => log.next(/("event":"applied"| applied in )/),
    listens: () => log.next(listening, 'keep'),
    inSync: async () => {
      while (!/^sluice_condition\{.*type="Ready"\} 1$/m.test(await get('/metrics'))) await setTimeout(1_000);
    },
    spent: spendingOf(child),
    get,
    end: async () => {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** The lines of a log, each found once by a pattern unless it is to be kept. */
function logOf(watch: ChildProcess): { readonly next: (pattern: RegExp, keep?: 'keep') => Promise<string> } {
  const lines: string[] = [];
  let text = '';
  let wake = (): void => undefined;
  for (const stream of [watch.stdout, watch.stderr])
    stream?.on('data', (chunk) => {
      text += String(chunk);
      const whole = text.split('\n');
      text = whole.pop() ?? '';
      // A line for each change would be searched again and again.
      lines.push(...whole.filter((line) => !line.includes('"event":"change"')));
      wake();
    });
  return {
    next: async (pattern, keep) => {
      for (;;) {
        const at = lines.findIndex((line) => pattern.test(line));
        const found = pattern.exec(lines[at] ?? '')?.[1];
        if (found !== undefined) {
          if (keep === undefined) lines.splice(at, 1);
          return found;
        }
        await new Promise<void>((done) => (wake = done));
      }
    },
  };
}

/** What a process has spent since this was asked last. */
function spendingOf(watch: ChildProcess): RunningWatch['spent'] {
  let before = 0;
  return async (next) => {
    const answer = new Promise<Spent>((done) => watch.once('message', (message) => done(message as Spent)));
    watch.send(next ?? 'usage');
    const { cpuMs, longestStepMs } = await answer;
    const spent = { cpuMs: cpuMs - before, longestStepMs };
    before = cpuMs;
    return spent;
  };
}
