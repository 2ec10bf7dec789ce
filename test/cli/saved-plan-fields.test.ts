/*
 * Between a plan that was approved and its apply, the manifests or the stack file change. Of the manifests nothing
 * matters: what they said is in the plan. Of the stack file every setting is changed in turn, found from its schema:
 * either that is caught, or the apply ends in what was approved. (The account is in test/plan/saved-fields.)
 */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { kinds } from '../../src/kinds/index.ts';
import { fieldsAt } from '../../src/manifest/settings/settings-document.ts';
import { stackSchema } from '../../src/manifest/stack-file/stack-schema.ts';
import { hostileManifests } from '../render/hostile-manifests.ts';
import { Canaries } from '../support/canaries.ts';
import { company, directory, sluice, stack } from './terminal.ts';

const env: Record<string, string> = { SLUICE_API_KEY: 'any', OTHER_KEY: 'any' };

test('whatever of the manifests changes after the approval: what was approved is done', async () => {
  const dir = await directory({ 'sluice.yaml': stringify(settings) });
  const secrets = { ...env };
  const write = async (word: string, seed: number): Promise<void> => {
    await rm(join(dir, 'manifests'), { recursive: true, force: true });
    await mkdir(join(dir, 'manifests'));
    let count = 0;
    const text = (forms: (text: string) => readonly string[], fits: (text: string) => boolean) =>
      forms(`${word}-${String(++count)}`).find(fits);
    const given = { text, canaries: new Canaries(), env: secrets, isDiscreet: true as const, seed };
    for (const [index, manifest] of hostileManifests(given, { copies: 1 }).entries())
      await writeFile(join(dir, `manifests/${String(index)}.json`), JSON.stringify(manifest));
  };
  await write('before', 1);
  expect((await sluice(dir, 'plan --out approved.plan', { env: secrets })).code).toBe(0);
  await rename(join(dir, 'manifests'), join(dir, 'approved'));
  await write('after', 1000);
  await writeFile(join(dir, 'manifests/0.json'), '{"kind": [');
  const applied = await sluice(dir, 'apply approved.plan', { env: secrets });
  expect([applied.code, applied.err]).toEqual([0, expect.any(String)]);

  await rm(join(dir, 'manifests'), { recursive: true });
  await rename(join(dir, 'approved'), join(dir, 'manifests'));
  const again = await sluice(dir, 'plan --detailed-exitcode', { env: secrets });
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('No changes.')]);
});

const settings = {
  version: 1,
  stack: { name: 'company', id: '5c1e7a90' },
  manifests: ['manifests'],
  api: { base_url: 'embedded', vendor: 'example' },
};

// What is remembered here is of another stack, or another service: that is found before anything else.
const exits = { done: 0, 'not this account': 3, stale: 4, refused: 8 } as const;

/** Another value for each setting, and how an apply of what was approved ends then. */
const others: Readonly<Record<string, readonly [value: unknown, ends: keyof typeof exits]>> = {
  version: [2, 'refused'],
  'stack.name': ['other', 'refused'],
  'stack.id': ['00000000', 'not this account'],
  manifests: [['elsewhere'], 'done'],
  patches: [
    [
      {
        target: { kind: 'ReservedAddr', name: 'mqtt' },
        patch: [{ op: 'replace', path: '/spec/description', value: 'Patched' }],
      },
    ],
    'done',
  ],
  'api.base_url': ['http://127.0.0.1:1', 'not this account'],
  'api.proxy': ['http://127.0.0.1:1', 'done'],
  'api.ca_file': ['test/support/none.pem', 'done'],
  'api.vendor': ['other', 'done'],
  'api.profile': ['documented', 'stale'],
  'api.key.from_env': ['SLUICE_OTHER_KEY', 'done'],
  'api.rate_limit': ['1000/1s', 'done'],
  'policy.max_deletes': [0, 'stale'],
  'policy.block': [['INTERRUPTS_TRAFFIC'], 'stale'],
  'state.path': ['elsewhere/state.json', 'done'],
  'state.postgres.url.from_env': ['SLUICE_STATE_URL', 'refused'],
  'state.postgres.schema': ['other', 'refused'],
  'state.s3.bucket': ['state-bucket', 'refused'],
  'state.s3.prefix': ['other', 'refused'],
  'state.s3.region': ['eu-central-1', 'refused'],
  'state.s3.endpoint': ['http://127.0.0.1:1', 'refused'],
  'state.s3.path_style': [true, 'refused'],
  'state.lease.duration': ['70s', 'done'],
  'state.lease.heartbeat': ['9s', 'done'],
  'state.lease.store_deadline': ['4s', 'done'],
  'state.lease.write_deadline': ['29s', 'done'],
  'state.lease.margin': ['11s', 'done'],
  'secrets.dirs': [['.'], 'done'],
  'secrets.env_files': [['.env'], 'done'],
  env_prefixes: [['NONE_'], 'done'],
  marker: [false, 'stale'],
  'access.public': [['www.example.com/*'], 'stale'],
  'access.rules': [[{ name: 'all', urls: ['*'], require: ['authentication'] }], 'stale'],
  'access.exceptions': [[{ rule: 'none', url: '*', reason: 'any', until: '2030-01-01' }], 'refused'],
  'access.strict': [true, 'done'],
  vars: [{ host: 'shop.example.com' }, 'done'],
  'watch.apply_on_change': [false, 'done'],
  'watch.heal_drift': [true, 'done'],
  'watch.prune': [true, 'done'],
  'watch.renew': [false, 'done'],
  ...Object.fromEntries(kinds.all.map(({ name }) => [`watch.kinds.${name}`, ['heal', 'done'] as const])),
  'watch.interval': ['7m', 'done'],
  'watch.debounce': ['7s', 'done'],
  'watch.scan_interval': ['7s', 'done'],
  'watch.poll': [true, 'done'],
  'watch.max_retry_delay': ['7m', 'done'],
  'watch.listen': [false, 'done'],
  'watch.listen_probes': ['127.0.0.1:9471', 'done'],
  'watch.notify': [[{ url: { from_env: 'SLUICE_NOBODY' } }], 'done'],
};

describe('a setting that changes after the approval', () => {
  test('is each of those that there are', () => {
    expect(Object.keys(others).sort()).toEqual(settingsBelow([]).sort());
  });

  test.each(Object.entries(others))('%s', async (path, [value, ends]) => {
    const dir = await stack(company, stringify(settings));
    await writeFile(join(dir, '.env'), '');
    await sluice(dir, 'apply --auto-approve', { env });
    // One is made, one changes, and one goes.
    const later = company.replace('region: eu', 'region: us').replace('name: mqtt', 'name: meters');
    await writeFile(join(dir, 'manifests/company.yaml'), later.replace('shop.example.com', 'www.example.com'));
    expect((await sluice(dir, 'plan --out approved.plan', { env })).code).toBe(0);

    await writeFile(join(dir, 'sluice.yaml'), stringify(withSetting(settings, path.split('.'), value)));
    const applied = await sluice(dir, 'apply approved.plan', { env });
    expect([applied.code, applied.err]).toEqual([exits[ends], expect.any(String)]);
    await writeFile(join(dir, 'sluice.yaml'), stringify(settings));
    const again = await sluice(dir, 'plan --format json', { env });
    const { summary } = JSON.parse(again.out) as { readonly summary: Readonly<Record<string, number>> };
    expect(summary).toMatchObject(
      ends === 'done' ? { create: 0, update: 0, delete: 0 } : { create: 1, update: 1, delete: 1 },
    );
  });
});

function settingsBelow(path: readonly string[]): string[] {
  return fieldsAt(stackSchema, path).flatMap((name) => {
    const inner = [...path, name];
    return fieldsAt(stackSchema, inner).length === 0 ? [inner.join('.')] : settingsBelow(inner);
  });
}

function withSetting(object: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  const inner = (object as Readonly<Record<string, unknown>>)[name];
  return {
    ...object,
    [name]: rest.length === 0 ? value : withSetting((inner as object | undefined) ?? {}, rest, value),
  };
}
