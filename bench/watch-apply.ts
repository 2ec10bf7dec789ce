import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeCorpus } from './corpus.ts';
import type { Line } from './line.ts';
import { benchStack, type Usage } from './stack.ts';

const few = 500;
const many = 10_000;

/** What applying costs a watch as its stack grows, and how long it keeps its event loop busy. */
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
    {
      what: 'watch: longest block of the event loop, 10,000 resources',
      figure: Math.max(large.creations.blockedMs, large.change.blockedMs),
      most: 50,
      unit: ' ms',
      from: `one change ${large.change.blockedMs.toFixed(0)} ms`,
    },
  ];
}

interface Spent {
  readonly cpuMs: number;
  /** The longest time without a turn of the event loop. */
  readonly blockedMs: number;
}

interface Watched {
  readonly creations: Spent;
  readonly change: Spent;
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
  const watch = fork(resolve('dist/sluice.js'), ['-C', stack.dir, 'watch', '--no-listen'], {
    env: { ...process.env, SLUICE_API_KEY: 'bench' },
    silent: true,
    execArgv: ['--import', resolve('bench/usage.mjs')],
  });
  try {
    const [applied, spent] = [appliesOf(watch), spendingOf(watch)];
    await applied();
    await spent();
    writeCorpus(stack.dir, resources);
    await applied();
    const creations = await spent();
    one('after');
    await applied();
    const change = await spent();
    return { creations, change, plan: await stack.sluice('plan') };
  } finally {
    const gone = new Promise((done) => watch.once('exit', done));
    watch.kill('SIGTERM');
    await gone;
    await stack.end();
  }
}

/** Waits for the end of the next apply, as the log says it. */
function appliesOf(watch: ChildProcess): () => Promise<void> {
  let [seen, text] = [0, ''];
  let wake = (): void => undefined;
  for (const stream of [watch.stdout, watch.stderr])
    stream?.on('data', (chunk) => {
      text += String(chunk);
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      seen += lines.filter((line) => line.includes('"applied"') || / applied in /.test(line)).length;
      wake();
    });
  return async () => {
    while (seen === 0) await new Promise<void>((done) => (wake = done));
    seen -= 1;
  };
}

/** What a process has spent since this was asked last. */
function spendingOf(watch: ChildProcess): () => Promise<Spent> {
  let before = 0;
  return async () => {
    const answer = new Promise<Spent>((done) => watch.once('message', (message) => done(message as Spent)));
    watch.send('usage');
    const { cpuMs, blockedMs } = await answer;
    const spent = { cpuMs: cpuMs - before, blockedMs };
    before = cpuMs;
    return spent;
  };
}
