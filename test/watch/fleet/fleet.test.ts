import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import { fleetJsonSchema, type FleetJson } from '../../../src/render/status/fleet-json-schema.ts';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { runFleet } from '../../../src/watch/fleet/run-fleet.ts';
import { directory } from '../../cli/terminal.ts';
import { until } from '../../support/until.ts';
import { readPrometheus } from '../prometheus-text.ts';

const stackFile = (name: string, id: string, more = ''): string => `version: 1
stack: {name: ${name}, id: ${id}}
manifests: [manifests]
watch: {interval: 1s, debounce: 1s, scan_interval: 1s, prune: true}
${more}`;

const address = (name: string): string => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: ${name}}
lifecycle: {protect: false}
spec: {description: Of ${name}}
`;

const files = (path: string, name: string, id: string, more = ''): Record<string, string> => ({
  [`${path}/sluice.yaml`]: stackFile(name, id, more),
  [`${path}/manifests/all.yaml`]: address(name),
});

interface Fleet {
  readonly dir: string;
  readonly emulator: Emulator;
  readonly log: () => string;
  readonly get: (path: string) => Promise<Response>;
  readonly status: () => Promise<FleetJson>;
  /** The condition of each stack, by path. */
  readonly conditions: () => Promise<Readonly<Record<string, string>>>;
  readonly described: () => readonly unknown[];
  readonly write: (written: Readonly<Record<string, string>>) => Promise<void>;
}

/** Watches a directory with these files, in this process, against an emulator. */
async function startFleet(
  given: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
): Promise<Fleet> {
  const emulator = createEmulator();
  const served = await emulator.listen({});
  const dir = await directory(given);
  const over = new AbortController();
  let log = '';
  const env = { SLUICE_API_KEY: 'k3y', SLUICE_BASE_URL: served.url, ...variables };
  const ended = runFleet(libraryContext({ dir, env, signal: over.signal }), dir, {
    parallelism: 2,
    concurrency: 2,
    searchMs: 100,
    listen: '127.0.0.1:0',
    listenProbes: false,
    poll: true,
    log: (level, event, message, fields) => {
      log += `${level} ${event}: ${message} ${JSON.stringify(fields ?? {})}\n`;
    },
  });
  const stop = async (): Promise<void> => {
    over.abort();
    await ended;
  };
  onTestFinished(async () => {
    await stop();
    await served.close();
  });
  await until(() => log.includes('status page at'));
  const url = /status page at (http:\/\/127\.0\.0\.1:\d+)/.exec(log)?.[1] ?? '';
  const get = (path: string): Promise<Response> => fetch(`${url}${path}`);
  const status = async (): Promise<FleetJson> => fleetJsonSchema.parse(await (await get('/status.json')).json());
  return {
    dir,
    emulator,
    log: () => log,
    get,
    status,
    conditions: async () => Object.fromEntries((await status()).stacks.map(({ path, condition }) => [path, condition])),
    described: () =>
      emulator
        .snapshot()
        .resources.map(({ spec }) => spec['description'])
        .sort(),
    write: async (written) => {
      for (const [name, text] of Object.entries(written)) {
        await mkdir(join(dir, name, '..'), { recursive: true });
        await writeFile(join(dir, name), text);
      }
    },
  };
}

test('every stack is applied, and a broken one is its own trouble until it is repaired', async () => {
  const { conditions, described, status, write, get } = await startFleet({
    ...files('team/a', 'a', '0000000a'),
    ...files('team/b', 'b', '0000000b'),
    'broken/sluice.yaml': 'version: 1\nstack: {name',
  });
  await until(async () => {
    const { 'team/a': a, 'team/b': b, broken } = await conditions();
    return a === 'in-sync' && b === 'in-sync' && broken === 'failed';
  });
  expect(described()).toEqual(['Of a', 'Of b']);
  const [worst] = (await status()).stacks;
  expect(worst).toMatchObject({ path: 'broken', failure: { code: 'SYNTAX_ERROR' } });
  expect([(await get('/stacks/broken/')).status, (await get('/readyz')).status]).toEqual([503, 200]);
  await write(files('broken', 'c', '0000000c'));
  await until(async () => (await conditions())['broken'] === 'in-sync');
  expect(described()).toEqual(['Of a', 'Of b', 'Of c']);
});

test('a stack that is added is watched, and one that is removed is let go, with its lock, and nothing of it deleted', async () => {
  const { dir, conditions, described, write, emulator, log } = await startFleet({
    ...files('a', 'a', '0000000a'),
    ...files('b', 'b', '0000000b'),
  });
  await until(async () => Object.values(await conditions()).join() === 'in-sync,in-sync');
  await rm(join(dir, 'b/sluice.yaml'));
  await write(files('c/d', 'd', '0000000d'));
  await until(async () => {
    const now = await conditions();
    return !('b' in now) && now['c/d'] === 'in-sync';
  });
  expect(described()).toEqual(['Of a', 'Of b', 'Of d']);
  expect(emulator.log.filter(({ method }) => method === 'DELETE')).toEqual([]);
  expect(log()).toContain('b is no longer a stack');
  await until(async () => !(await readdir(join(dir, 'b/.sluice'))).includes('lock'));
  expect(await readdir(join(dir, 'a/.sluice'))).toContain('lock');
});

test('of two copies of a stack none is watched, and one that is copied later does not disturb the other', async () => {
  const { conditions, status, write, dir, described } = await startFleet({
    ...files('a', 'a', '0000000a'),
    ...files('copy', 'a', '0000000a'),
    ...files('z', 'z', '0000000f'),
  });
  await until(async () => (await conditions())['z'] === 'in-sync');
  await until(async () => (await status()).stacks.every(({ path, failure }) => path === 'z' || failure !== undefined));
  expect((await status()).stacks.map(({ path, failure }) => [path, failure?.code])).toEqual([
    ['a', 'DUPLICATE_STACK_ID'],
    ['copy', 'DUPLICATE_STACK_ID'],
    ['z', undefined],
  ]);
  await write(files('y', 'z', '0000000f'));
  await until(async () => (await conditions())['y'] === 'failed');
  expect((await conditions())['z']).toBe('in-sync');
  expect(described()).toEqual(['Of z']);
  await rm(join(dir, 'copy'), { recursive: true });
  await write({ 'a/sluice.yaml': `${stackFile('a', '0000000a')}# the only one now\n` });
  await until(async () => (await conditions())['a'] === 'in-sync');
});

test('each stack has its own page, JSON and metrics, which name their path', async () => {
  const { conditions, get } = await startFleet({
    ...files('.', 'root', '0000000a'),
    ...files('team/my shop', 'shop', '0000000b'),
  });
  await until(async () => Object.values(await conditions()).join() === 'in-sync,in-sync');
  const page = await (await get('/')).text();
  for (const [, url = ''] of page.matchAll(/href="(stacks\/[^"]*)"/g)) {
    const own = await (await get(`/${url}`)).text();
    const [, back = ''] = /<a href="([^"]*)">All stacks/.exec(own) ?? [];
    expect(new URL(back, `http://x/${url}`).pathname).toBe('/');
    expect(await (await get(`/${url}status.json`)).json()).toMatchObject({ role: 'leader' });
  }
  expect(page.match(/href="stacks\//g)).toHaveLength(2);
  const samples = readPrometheus(await (await get('/metrics')).text());
  expect(samples.filter(({ name }) => name === 'sluice_leader').map(({ labels }) => labels)).toEqual([
    { stack: 'root', path: '.' },
    { stack: 'shop', path: 'team/my shop' },
  ]);
  expect(samples.filter(({ name }) => name === 'process_resident_memory_bytes').map(({ labels }) => labels)).toEqual([
    {},
  ]);
  for (const path of [
    '/stacks/none/',
    '/stacks/team/',
    '/stacks/%ff/',
    '/stacks/..%2f/',
    '/stacks/team/my%20shop/none',
  ])
    expect((await get(path)).status).toBe(404);
});

test('a stack file cannot send the key of the fleet to another origin that the operator trusts', async () => {
  const policy = await directory({
    'operator.yaml': 'version: 1\ntrusted_origins: ["https://a.example.com", "https://b.example.com"]\n',
  });
  const { status } = await startFleet(files('a', 'a', '0000000a', 'api: {base_url: "https://b.example.com"}\n'), {
    SLUICE_BASE_URL: '',
    SLUICE_OPERATOR_POLICY: join(policy, 'operator.yaml'),
  });
  await until(async () => (await status()).stacks[0]?.failure !== undefined);
  expect((await status()).stacks[0]?.failure).toMatchObject({
    code: 'ORIGIN_NOT_TRUSTED',
    message: expect.stringContaining('is not the one origin of the fleet') as string,
  });
});
