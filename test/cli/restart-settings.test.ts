import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changedSettings, restartSettings } from '../../src/cli/restart-settings.ts';
import { stackSchema } from '../../src/manifest/stack-schema.ts';
import { notBuilt } from '../support/processes.ts';
import { addresses } from '../watch/company-files.ts';
import { eventually, shared } from '../watch/replicas.ts';

// A new setting belongs here, or among those that need a restart.
const readEachTurn = [
  'version, manifests, patches, api, policy, secrets, env_prefixes, marker',
  'watch.apply_on_change, watch.heal_drift, watch.prune, watch.renew, watch.kinds, watch.interval, watch.retry_at_most',
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

test('settings that are read each turn may change, and those that a flag overrides', () => {
  const next = { ...settings, marker: false, watch: { ...settings.watch, prune: true, listen: '127.0.0.1:1' } };
  expect(changedSettings({ settings: next, placeOf }, settings, new Set())).toMatchObject([
    { code: 'RESTART_REQUIRED', message: 'watch.listen changed while sluice watch is running' },
  ]);
  expect(changedSettings({ settings: next, placeOf }, settings, new Set(['watch.listen']))).toEqual([]);
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
