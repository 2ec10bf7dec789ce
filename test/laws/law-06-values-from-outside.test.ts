/*
 * Law 6, for values from outside: what a plain field takes from a variable or a file may be anything, a key among them.
 * Every field of every kind that can be masked takes its value so; no command shows one, nor does a file that is left
 * behind: not before, not after, and not when the manifests no longer say where the values came from.
 */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { kinds } from '../../src/kinds/index.ts';
import { directory, sluice, stackFile, type Ended } from '../cli/terminal.ts';
import { Canaries } from '../support/canaries.ts';
import { cheapDigests } from '../support/cheap-digests.ts';
import { outsideStack, type OutsideStack } from '../support/outside-values.ts';

const key = 'KanariKeyOfTheService4711';

// Two thirds of the time otherwise: every command makes those of every value.
beforeAll(cheapDigests);

async function world(first: OutsideStack, settings = '') {
  const emulator = createEmulator({ apiKey: key, seed: 1 });
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const dir = await directory({
    'sluice.yaml': stackFile + settings,
    'manifests/all.yaml': first.manifests,
    ...first.files,
  });
  const env = (stack: OutsideStack) => ({
    ...stack.env,
    SLUICE_API_KEY: key,
    SLUICE_BASE_URL: url,
    SLUICE_LOG: 'debug',
    GITHUB_STEP_SUMMARY: join(dir, 'summary.md'),
  });
  return { emulator, dir, env };
}

const planning = [
  'plan --requests --github-summary --github-annotations --gitlab-report gitlab.json',
  'plan --format json --requests',
  'plan --format markdown',
  'plan --verify',
  'snapshot --out snapshot.json',
  'plan --snapshot snapshot.json --format json --requests',
  'plan --out saved.json --allow OPENS_ACCESS',
  'show saved.json',
  'show saved.json --format json',
];

const reading = [
  'validate --format sarif',
  'validate --github-annotations',
  'output',
  'output --format json',
  'export',
  'state list --format json',
  'get HTTPSEdgeRoute',
  ...kinds.all.map(({ name }) => `get ${name} -o yaml`),
];

describe('law 6, with values from outside in every field that can be masked', () => {
  test('no command shows one, before, after, and when the manifests write other values out', async () => {
    const canaries = new Canaries();
    const [first, second] = [outsideStack(kinds, canaries, 0), outsideStack(kinds, canaries, 1)];
    expect(first.count).toBeGreaterThan(30);
    const { emulator, dir, env } = await world(first);
    const ended: Ended[] = [];
    const run = async (stack: OutsideStack, ...lines: readonly string[]): Promise<void> => {
      for (const args of lines) {
        const one = await sluice(dir, args, { env: env(stack) });
        expect(`${args}: ${String(one.code)} ${one.code === 0 ? '' : one.err + one.out}`).toBe(`${args}: 0 `);
        ended.push(one);
      }
    };
    const apply = 'apply --auto-approve --allow OPENS_ACCESS --events events.jsonl';
    await run(first, ...planning.slice(3), apply, ...reading);
    // Every value changes: a saved plan no longer fits, and reports where.
    await run(first, 'plan --out stale.json');
    for (const [name, text] of Object.entries(second.files)) writeFileSync(join(dir, name), text);
    ended.push(await sluice(dir, 'apply stale.json', { env: env(second) }));
    await run(second, 'plan --format json --requests');
    // Without state only the manifests know.
    rmSync(join(dir, '.sluice'), { recursive: true });
    await run(second, 'plan --requests', 'state rebuild', 'state list', apply);
    // The manifests no longer say where values come from: state does.
    writeFileSync(join(dir, 'manifests/all.yaml'), second.literal);
    await run(second, ...planning.slice(0, 3), ...reading, 'apply --format json --auto-approve --allow OPENS_ACCESS');
    expect(canaries.in(JSON.stringify(emulator.snapshot().resources))).toEqual([]);
    mustHaveKept(canaries, ended, dir);
  }, 300_000);

  test('no command shows one when the manifests leave the fields out, or the resources', async () => {
    const canaries = new Canaries();
    const stack = outsideStack(kinds, canaries, 0);
    const { dir, env } = await world(stack);
    const ended: Ended[] = [];
    const run = async (...lines: readonly string[]): Promise<void> => {
      for (const args of lines) ended.push(await sluice(dir, args, { env: env(stack) }));
    };
    const apply = 'apply --auto-approve --allow OPENS_ACCESS';
    await run(apply);
    writeFileSync(join(dir, 'manifests/all.yaml'), stack.bare);
    await run(
      'plan --requests',
      'plan --format json',
      'plan --format markdown',
      apply,
      'plan',
      'get HTTPSEdgeRoute -o yaml',
    );
    writeFileSync(join(dir, 'manifests/all.yaml'), '');
    await run('plan --allow-empty', 'destroy --auto-approve --format json');
    expect(ended.map(({ code, err }) => (code === 0 ? 'done' : `${String(code)} ${err}`))).toEqual(
      ended.map(() => 'done'),
    );
    mustHaveKept(canaries, ended, dir);
  }, 300_000);

  test('watch shows none in its log, page or metrics', async () => {
    const canaries = new Canaries();
    const stack = outsideStack(kinds, canaries, 0);
    const { emulator, dir, env } = await world(stack, 'watch: {scan_interval: 1s}\n');
    const stop = new AbortController();
    let log = '';
    const ended = sluice(dir, 'watch --listen 127.0.0.1:0 --poll', {
      env: env(stack),
      signal: stop.signal,
      err: (text) => {
        log += text;
      },
    });
    const wrote = (method: string) => emulator.log.filter((request) => request.method === method).length;
    await until(() => wrote('POST') >= stack.resources && log.includes('"event":"change"'));
    writeFileSync(join(dir, 'manifests/all.yaml'), stack.bare);
    await until(() => wrote('PATCH') + wrote('PUT') > 0);
    const url = /status page at (http:[^"\s]+)/.exec(log)?.[1] ?? '';
    const pages = await Promise.all(
      ['/', '/status.json', '/metrics'].map(async (path) => (await fetch(new URL(path, url))).text()),
    );
    stop.abort();
    expect((await ended).code).toBe(130);
    expect(canaries.in([log, ...pages].join('\n'))).toEqual([]);
    mustHaveKept(canaries, [], dir);
  }, 300_000);
});

/** Waits until something is so, for as long as nobody else would wait. */
async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !isSo(); turn++) await new Promise((go) => setTimeout(go, 100));
  expect(isSo()).toBe(true);
}

function mustHaveKept(canaries: Canaries, ended: readonly Ended[], dir: string): void {
  for (const { out, err } of ended) expect(canaries.in(out + err), `${out}\n${err}`.slice(0, 20_000)).toEqual([]);
  const left = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/^(manifests|outside|sluice\.yaml)/.test(name) && statSync(join(dir, name)).isFile(),
  );
  expect(left.length).toBeGreaterThan(0);
  for (const name of left) expect(canaries.in(readFileSync(join(dir, name), 'utf8')), name).toEqual([]);
}
