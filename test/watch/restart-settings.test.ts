import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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
  'version, manifests, patches, vars, api, access, policy, secrets, env_prefixes, marker',
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

describe('another address of this machine needs a restart', () => {
  test.each([
    ['api.base_url', { base_url: 'embedded' }, { base_url: 'http://127.0.0.1:1' }],
    ['api.base_url', { base_url: 'http://127.0.0.1:1' }, { base_url: 'http://127.0.0.1:2' }],
    ['api.proxy', { proxy: 'http://127.0.0.1:1' }, {}],
    ['api.proxy', {}, { proxy: 'http://127.0.0.1:1' }],
  ])('%s: from %j to %j', (name, from, to) => {
    expect(after(from, to)).toEqual([`RESTART_REQUIRED ${name}`]);
  });

  test('and nothing else: a variable or a flag decides before sluice.yaml', () => {
    const [from, to] = [{ base_url: 'embedded' }, { base_url: 'http://127.0.0.1:1' }];
    expect(after(from, to, { SLUICE_BASE_URL: 'https://a.example' })).toEqual([]);
    const flags = { proxy: 'http://c.example:1' } as Context['flags'];
    expect(after({}, { proxy: 'http://127.0.0.1:1' }, {}, flags)).toEqual([]);
  });

  function after(from: object, to: object, env = {}, flags?: Context['flags']): string[] {
    const stack = (reported: object) => ({
      settings: { ...settings, api: { ...settings.api, ...reported } },
      dir: '/stack',
      placeOf,
    });
    const targets = settingTargets(stack(from), context(env, flags));
    return changedSettings(stack(to), context(env, flags), { ...began, targets }).map(
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
