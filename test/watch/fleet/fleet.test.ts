import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directory } from '../../cli/terminal.ts';
import { until } from '../../support/until.ts';
import { readPrometheus } from '../prometheus-text.ts';
import { stackFile, stackFiles, startFleet } from './start-fleet.ts';

test('every stack is applied, and a broken one is its own trouble until it is repaired', async () => {
  const { conditions, described, status, write, get } = await startFleet({
    ...stackFiles('team/a', 'a', '0000000a'),
    ...stackFiles('team/b', 'b', '0000000b'),
    'broken/sluice.yaml': 'version: 1\nstack: {name',
  });
  await until(async () => {
    const { 'team/a': a, 'team/b': b, broken } = await conditions();
    return a === 'in-sync' && b === 'in-sync' && broken === 'action-required';
  });
  expect(described()).toEqual(['Of a', 'Of b']);
  const [worst] = (await status()).stacks;
  expect(worst).toMatchObject({ path: 'broken', failure: { code: 'SYNTAX_ERROR' } });
  expect([(await get('/stacks/broken/')).status, (await get('/readyz')).status]).toEqual([503, 200]);
  await write(stackFiles('broken', 'c', '0000000c'));
  await until(async () => (await conditions())['broken'] === 'in-sync');
  expect(described()).toEqual(['Of a', 'Of b', 'Of c']);
});

test('a stack that is added is watched, and one that is removed is let go, with its lock, and nothing of it deleted', async () => {
  const { dir, conditions, described, write, emulator, log } = await startFleet({
    ...stackFiles('a', 'a', '0000000a'),
    ...stackFiles('b', 'b', '0000000b'),
  });
  await until(async () => Object.values(await conditions()).join() === 'in-sync,in-sync');
  await rm(join(dir, 'b/sluice.yaml'));
  await write(stackFiles('c/d', 'd', '0000000d'));
  await until(async () => {
    const now = await conditions();
    return !('b' in now) && now['c/d'] === 'in-sync';
  });
  expect(described()).toEqual(['Of a', 'Of b', 'Of d']);
  expect(emulator.log.filter(({ method }) => method === 'DELETE')).toEqual([]);
  expect(log()).toContain('b is no longer a stack');
  await until(async () => !(await readdir(join(dir, 'b/.sluice'))).includes('lock'));
  expect(log()).toContain('this watch stops: requests in flight are completed first {"stack":"b","path":"b"}');
  expect(log()).not.toContain('a signal');
  expect(await readdir(join(dir, 'a/.sluice'))).toContain('lock');
});

test('of two stacks with one state.path, the one that never gets the lock reports that, and does not count as on standby', async () => {
  const shared = 'state: {path: ../shared/state.json}\n';
  const { conditions, status, described } = await startFleet({
    ...stackFiles('a', 'a', '0000000a', shared),
    ...stackFiles('b', 'b', '0000000b', shared),
  });
  await until(async () => Object.values(await conditions()).includes('in-sync'));
  await until(async () => !Object.values(await conditions()).some((one) => ['standby', 'progressing'].includes(one)));
  const other = (await status()).stacks.find(({ condition }) => condition !== 'in-sync');
  expect(other).toMatchObject({ role: 'standby', failures_total: 1, activity: { type: 'waiting-for-lock' } });
  expect(other?.detail).toMatch(/watch-state\.json belongs to stack 0000000., not to 0000000.$/);
  expect(described()).toHaveLength(1);
});

test('no stack can send the account the key of the bucket in which other stacks have their state', async () => {
  const key = 'canary-key-of-the-bucket';
  const files = stackFiles('a', 'a', '0000000a');
  const { status, emulator } = await startFleet(
    {
      ...files,
      'a/manifests/all.yaml': (files['a/manifests/all.yaml'] ?? '').replace(
        'Of a',
        '{from_env: AWS_SECRET_ACCESS_KEY}',
      ),
    },
    { AWS_SECRET_ACCESS_KEY: key },
  );
  await until(async () =>
    (await status()).stacks.some(({ ready }) => ready !== undefined && ready.status !== 'Unknown'),
  );
  expect(JSON.stringify(emulator.snapshot())).not.toContain(key);
  expect(JSON.stringify(await status())).toContain('invalid-manifests');
});

test('of two copies of a stack none is watched, and one that is copied later does not disturb the other', async () => {
  const { conditions, status, write, dir, described } = await startFleet({
    ...stackFiles('a', 'a', '0000000a'),
    ...stackFiles('copy', 'a', '0000000a'),
    ...stackFiles('z', 'z', '0000000f'),
  });
  await until(async () => (await conditions())['z'] === 'in-sync');
  await until(async () => (await status()).stacks.every(({ path, failure }) => path === 'z' || failure !== undefined));
  expect((await status()).stacks.map(({ path, failure }) => [path, failure?.code])).toEqual([
    ['a', 'DUPLICATE_STACK_ID'],
    ['copy', 'DUPLICATE_STACK_ID'],
    ['z', undefined],
  ]);
  await write(stackFiles('y', 'z', '0000000f'));
  await until(async () => (await conditions())['y'] === 'action-required');
  expect((await conditions())['z']).toBe('in-sync');
  expect(described()).toEqual(['Of z']);
  await rm(join(dir, 'copy'), { recursive: true });
  await write({ 'a/sluice.yaml': `${stackFile('a', '0000000a')}# the only one now\n` });
  await until(async () => (await conditions())['a'] === 'in-sync');
});

test('each stack has its own page, JSON and metrics, which name their path', async () => {
  const { conditions, get } = await startFleet({
    ...stackFiles('.', 'root', '0000000a'),
    ...stackFiles('team/my shop', 'shop', '0000000b'),
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
  const { status } = await startFleet(stackFiles('a', 'a', '0000000a', 'api: {base_url: "https://b.example.com"}\n'), {
    SLUICE_BASE_URL: '',
    SLUICE_OPERATOR_POLICY: join(policy, 'operator.yaml'),
  });
  await until(async () => (await status()).stacks[0]?.failure !== undefined);
  expect((await status()).stacks[0]?.failure).toMatchObject({
    code: 'ORIGIN_NOT_TRUSTED',
    message: expect.stringContaining('differs from the origin that the fleet uses') as string,
  });
});
