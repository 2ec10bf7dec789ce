import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/cli/context.ts';
import {
  changedSettings,
  restartSettings,
  settingTargets,
  type RestartSetting,
} from '../../src/watch/restart-settings.ts';
import { stackSchema } from '../../src/manifest/stack-file/stack-schema.ts';
import { notBuilt } from '../support/processes.ts';
import { addresses } from './company-files.ts';
import { eventually, shared } from './replicas.ts';

// A new setting belongs here, or among those that need a restart.
const readEachTurn = [
  'version, manifests, patches, api, policy, secrets, env_prefixes, marker',
  'watch.apply_on_change, watch.heal_drift, watch.prune, watch.renew, watch.kinds, watch.interval, watch.max_retry_delay',
].flatMap((names) => names.split(', '));

const settings = stackSchema.parse({ version: 1, stack: { name: 'company', id: '5c1e7a90' } });
const placeOf = () => ({ file: 'sluice.yaml', line: 1, col: 1 });

test('every setting is read each turn, or needs a restart', () => {
  const { watch, state, ...others } = stackSchema.shape;
  const names = [
    ...Object.keys(others),
    ...Object.keys(state.unwrap().shape).map((name) => `state.${name}`),
    ...Object.keys(watch.unwrap().shape).map((name) => `watch.${name}`),
  ];
  expect(names.sort()).toEqual([...readEachTurn, ...restartSettings].sort());
});

const began = { settings, overridden: new Set<never>(), targets: new Map<string, string>() };
const context = (env: Record<string, string> = {}, flags: Context['flags'] = {}) =>
  ({ io: { env }, flags }) as Pick<Context, 'io' | 'flags'>;

test('settings that are read each turn may change, and those that a flag overrides', () => {
  const next = { ...settings, marker: false, watch: { ...settings.watch, prune: true, listen: '127.0.0.1:1' } };
  const targets = settingTargets({ settings, dir: '/stack' }, context());
  const changed = (overridden: readonly RestartSetting[]) =>
    changedSettings({ settings: next, dir: '/stack', placeOf }, context(), {
      ...began,
      targets,
      overridden: new Set(overridden),
    });
  expect(changed([])).toMatchObject([
    { code: 'RESTART_REQUIRED', message: 'watch.listen changed while sluice watch is running' },
  ]);
  expect(changed(['watch.listen'])).toEqual([]);
});

describe('what only the operator decides needs a restart', () => {
  const [outside, first, moved, replaced] = ['outside', 'first', 'moved', 'replaced'].map((name) => {
    const dir = mkdtempSync(join(tmpdir(), `sluice-${name}-`));
    for (const file of ['a.pem', 'b.pem', 'env']) writeFileSync(join(dir, file), file);
    writeFileSync(join(dir, 'ca.pem'), name === 'replaced' ? 'B' : 'A');
    return dir;
  }) as [string, string, string, string];
  afterAll(() => [outside, first, moved, replaced].forEach((dir) => rmSync(dir, { recursive: true })));

  test.each([
    ['api.base_url', { base_url: 'https://a.example' }, { base_url: 'https://b.example' }],
    ['api.base_url', { base_url: 'https://a.example' }, {}],
    ['api.proxy', { proxy: 'http://a.example:1' }, { proxy: 'http://b.example:1' }],
    ['api.proxy', { proxy: 'http://a.example:1' }, {}],
    ['api.proxy', {}, { proxy: 'http://127.0.0.1:1' }],
    ['api.ca_file', { ca_file: `${outside}/a.pem` }, { ca_file: `${outside}/b.pem` }],
    ['api.ca_file', { ca_file: 'ca.pem' }, {}],
  ])('%s: from %j to %j', (name, from, to) => {
    expect(after(from, first, to, first)).toEqual([`RESTART_REQUIRED ${name}`]);
  });

  test('also where a commit replaces the file of authorities, and not where only the stack moves', () => {
    expect(after({ ca_file: 'ca.pem' }, first, { ca_file: 'ca.pem' }, replaced)).toEqual([
      'RESTART_REQUIRED api.ca_file',
    ]);
    expect(after({ ca_file: 'ca.pem' }, first, { ca_file: 'ca.pem' }, moved)).toEqual([]);
  });

  test('and nothing else: a variable or a flag decides before sluice.yaml', () => {
    const [from, to] = [{ base_url: 'embedded' }, { base_url: 'http://127.0.0.1:1' }];
    expect(after(from, first, to, first, { SLUICE_BASE_URL: 'https://a.example' })).toEqual([]);
    const flags = { proxy: 'http://c.example:1' } as Context['flags'];
    expect(after({}, first, { proxy: 'http://a.example:1' }, first, {}, flags)).toEqual([]);
  });

  test('files outside of the stack may not be added; files inside may', () => {
    const opened = (secrets: object, dir: string) => ({
      settings: { ...settings, secrets: { dirs: [], env_files: [], ...secrets } },
      dir,
      placeOf,
    });
    const targets = settingTargets(opened({}, first), context());
    const codes = (secrets: object) =>
      changedSettings(opened(secrets, first), context(), { ...began, targets }).map(({ message }) => message);
    expect(codes({ dirs: [outside] })).toEqual(['secrets.dirs changed while sluice watch is running']);
    expect(codes({ env_files: [`${outside}/a.pem`] })).toHaveLength(1);
    expect(codes({ env_files: ['env'], dirs: ['.'] })).toEqual([]);
  });

  function after(from: object, dir: string, to: object, newDir: string, env = {}, flags?: Context['flags']): string[] {
    const api = (said: object) => ({ ...settings, api: { ...settings.api, ...said } });
    const targets = settingTargets({ settings: api(from), dir }, context(env, flags));
    return changedSettings({ settings: api(to), dir: newDir, placeOf }, context(env, flags), { ...began, targets }).map(
      ({ code, message }) => `${code} ${message.split(' ')[0] ?? ''}`,
    );
  }
});

describe.skipIf(notBuilt !== '')(`a running watch${notBuilt}`, () => {
  test('refuses a commit that moves the state, keeps the last good version, and goes on once that is undone', async () => {
    const stack = await shared(addresses('mqtt'));
    const watch = stack.watch('one');
    await watch.says('ReservedAddr/mqtt: done');
    const path = join(stack.dir, 'sluice.yaml');
    const before = readFileSync(path, 'utf8');
    const seen = watch.log().length;
    stack.write(addresses('mqtt', 'ssh'));
    writeFileSync(path, before.replace('state.json', 'other.json'));
    await watch.says('state.path changed while sluice watch is running', seen);
    expect(stack.described()).toEqual(['mqtt']);
    expect(existsSync(join(stack.kept, 'other.json'))).toBe(false);
    writeFileSync(path, before);
    await eventually(() => stack.described().includes('ssh'), watch.log);
    expect(existsSync(join(stack.kept, 'other.json'))).toBe(false);
  });
});
