import { expect, describe, test } from 'vitest';
import { Ref } from '../../../src/kinds/value.ts';
import type { LoadOptions } from '../../../src/manifest/load.ts';
import type { Patch } from '../../../src/manifest/expand/patch.ts';
import type { DesiredStack } from '../../../src/model/resource.ts';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { withCheckedOutputs } from '../../../src/stack/outputs/checked-outputs.ts';
import { lastGood } from '../../../src/watch/decide/last-good.ts';
import { address } from '../company-files.ts';
import { loadDirectory, loadFiles, temporaryFiles } from '../../support/manifests.ts';

type Files = Readonly<Record<string, string>>;

const edge = (route: string, fields = 'backend: {backend_id: bkdhr_1}') => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
    - {name: ${route}, match_type: path_prefix, match: /admin, ${fields}}
`;
const external = (id: string) =>
  `apiVersion: sluice/v1\nkind: External\nmetadata: {name: be}\nspec: {type: backend, id: ${id}}\n`;
const set = (spec: string) => `apiVersion: sluice/v1\nkind: ModuleSet\nmetadata: {name: staff}\nspec: {${spec}}\n`;
const signIn = 'oauth: {provider: {google: {email_domains: [example.com]}}}';
const [admin, shop] = ['HTTPSEdgeRoute/shop:admin', 'HTTPSEdge/shop'];

describe('a patch that matches nothing', () => {
  const files = { 'shop.yaml': edge('admin'), 'mqtt.yaml': address('mqtt', 'Sensors') };

  test('leaves everything at its last good version, since nobody knows which resource it is about', async () => {
    const found = await inForce(files, { ...files, 'shop.yaml': edge('administration') }, withSignIn('shop:admin'));
    expect(errorsOf(found.read)).toEqual(['PATCH_TARGET_NOT_FOUND']);
    expect(addressesIn(found.kept)).toEqual([shop, admin, 'ReservedAddr/mqtt'].sort());
    expect(specIn(found.kept, admin)).toHaveProperty('oauth');
  });

  test('does so where its target is misspelled', async () => {
    const before = lastGood(await loadFiles(files, withSignIn('shop:admin')), undefined);
    const kept = lastGood(await loadFiles(files, withSignIn('shop:admn')), before);
    expect(specIn(kept, admin)).toHaveProperty('oauth');
  });

  test('does so where another file cannot be read either', async () => {
    const spoiled = { 'shop.yaml': edge('administration'), 'mqtt.yaml': 'kind: [' };
    const { kept } = await inForce(files, spoiled, withSignIn('shop:admin'));
    expect(addressesIn(kept)).toEqual([shop, admin, 'ReservedAddr/mqtt'].sort());
  });

  test('puts nothing in force where there is no last good version', async () => {
    const kept = lastGood(await loadFiles(files, withSignIn('shop:admn')), undefined);
    expect([kept.resources, kept.complete]).toEqual([[], false]);
  });
});

describe('a patch that fails', () => {
  test.each([
    ['an operation', { op: 'replace', path: '/spec/oauth', value: {} }],
    ['a path', { op: 'add', path: '/spec/a/b', value: {} }],
  ] as const)('with %s leaves its resources at their last good version', async (_, step) => {
    const files = { 'shop.yaml': edge('admin'), 'mqtt.yaml': address('mqtt', 'Sensors') };
    const target = { kind: 'HTTPSEdgeRoute', name: 'shop:admin' };
    const before = lastGood(await loadFiles(files, withSignIn('shop:admin')), undefined);
    const after = { 'shop.yaml': edge('admin'), 'mqtt.yaml': address('mqtt', 'Meters') };
    const kept = lastGood(await loadFiles(after, { patches: [{ target, patch: [step] }] }), before);
    expect(specIn(kept, admin)).toHaveProperty('oauth');
    expect(specIn(kept, 'ReservedAddr/mqtt')).toMatchObject({ description: 'Meters' });
  });

  test('and makes of its manifest none leaves what it was at its last good version', async () => {
    const files = { 'shop.yaml': edge('admin'), 'mqtt.yaml': address('mqtt', 'Sensors') };
    const before = lastGood(await loadFiles(files), undefined);
    const patch: Patch = {
      target: { kind: 'HTTPSEdge', name: 'shop' },
      patch: [{ op: 'replace', path: '/kind', value: 'HTTPSEgde' }],
      placeOf: () => ({ file: 'sluice.yaml', line: 1, col: 1 }),
    };
    const kept = lastGood(await loadFiles(files, { patches: [patch] }), before);
    expect(addressesIn(kept)).toEqual(addressesIn(before));
  });
});

describe('what is shared', () => {
  const user = edge('admin', 'backend: {backend_id: {ref: be}}, module_sets: [staff]');
  const files = { 'shop.yaml': user, 'z.yaml': `${set(signIn)}---\n${external('bkdhr_1')}` };

  test.each([
    ['a module set', set('compression: {}')],
    ['an external', external('bkdhr_2')],
  ])('%s that is defined twice leaves its users at their last good version', async (_, second) => {
    const { read, kept } = await inForce(files, { ...files, 'a.yaml': second });
    expect(errorsOf(read)).toEqual(['DUPLICATE_ADDRESS']);
    expect(specIn(kept, admin)).toMatchObject({ backend: { backend_id: 'bkdhr_1' } });
    expect(specIn(kept, admin)).toHaveProperty('oauth');
  });

  test('an external with anything wrong in it leaves its users at their last good version', async () => {
    const wrong = external('bkdhr_2').replace('{name: be}', '{name: be, labls: {}}');
    const { kept } = await inForce(files, { ...files, 'z.yaml': `${set(signIn)}---\n${wrong}` });
    expect(specIn(kept, admin)).toMatchObject({ backend: { backend_id: 'bkdhr_1' } });
  });

  test('a value of a resource that is wrong leaves who takes it at its last good version', async () => {
    const taking = address('copy', '{ref: ReservedAddr/mqtt, field: description}');
    const before = { 'a.yaml': address('mqtt', 'Sensors'), 'b.yaml': taking };
    const { kept } = await inForce(before, { ...before, '0.yaml': address('mqtt', 'Others') });
    expect(specIn(kept, 'ReservedAddr/copy')).toMatchObject({ description: 'Sensors' });
    const unread = await inForce(before, { ...before, 'a.yaml': 'kind: [' });
    expect(specIn(unread.kept, 'ReservedAddr/copy')).toMatchObject({ description: 'Sensors' });
  });
});

describe('a document with an error in its text', () => {
  test('that can be read all the same is not in force', async () => {
    const before = { 'a.yaml': address('mqtt', 'Sensors') };
    const twice = address('mqtt', 'Meters, description: Others');
    const { read, kept } = await inForce(before, { 'a.yaml': twice });
    expect(errorsOf(read)).toEqual(['DUPLICATE_KEY']);
    expect(specIn(kept, 'ReservedAddr/mqtt')).toMatchObject({ description: 'Sensors' });
  });

  test('and a list of manifests with an unknown field is not in force', async () => {
    const list = (text: string, more = '') =>
      `${more}apiVersion: sluice/v1\nkind: List\nitems:\n  - {apiVersion: sluice/v1, kind: ReservedAddr, metadata: {name: mqtt}, spec: {region: eu, description: ${text}}}\n`;
    const { kept } = await inForce(
      { 'a.yaml': list('Sensors') },
      { 'a.yaml': list('Meters', 'lifecycle: {protect: true}\n') },
    );
    expect(specIn(kept, 'ReservedAddr/mqtt')).toMatchObject({ description: 'Sensors' });
  });
});

test('what only warns is in force although another file has an error', async () => {
  const twins = (description: string): string =>
    ['a', 'b']
      .map((name) => edge('admin').replace('name: shop', `name: ${name}`))
      .join(`  description: ${description}\n---\n`);
  const write = (description: string): string => `${twins(description)}  description: ${description}\n`;
  const { read, kept } = await inForce(
    { 'shop.yaml': write('Old'), 'mqtt.yaml': address('mqtt', 'Sensors') },
    { 'shop.yaml': write('New'), 'mqtt.yaml': 'kind: [' },
    { profile: 'documented' },
  );
  expect(read.diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toContain('warning DUPLICATE_VALUE');
  expect(specIn(kept, 'HTTPSEdge/b')).toMatchObject({ description: 'New' });
  expect([...(read.brokenFiles ?? [])]).toEqual(['mqtt.yaml']);
});

test('a directory of manifests that is gone keeps what was in it', async () => {
  const files = { 'manifests/a.yaml': address('mqtt', 'Sensors'), 'team/b/c.yaml': address('ssh', 'Shell') };
  const before = lastGood(await loadFiles(files, { inputs: ['manifests', 'team'] }), undefined);
  const after = { 'manifests/a.yaml': address('mqtt', 'Meters') };
  const kept = lastGood(await loadFiles(after, { inputs: ['manifests', 'team'] }), before);
  expect(addressesIn(kept)).toEqual(['ReservedAddr/mqtt', 'ReservedAddr/ssh']);
  expect(specIn(kept, 'ReservedAddr/mqtt')).toMatchObject({ description: 'Meters' });
});

describe('an output that another stack does not define', () => {
  const network = {
    'network/sluice.yaml': 'version: 1\nstack: {name: network, id: "11111111"}\nmanifests: [a.yaml]\n',
    'network/a.yaml': address('other', 'Other'),
  };
  const missing = '{output: {stack: network, address: ReservedAddr/ssh, field: addr}}';
  const inAmerica = address('mqtt', missing).replace('region: eu', 'region: us');
  const copy = (field: string): string => address('copy', `{ref: ReservedAddr/mqtt, field: ${field}}`);

  async function checkedAfter(before: string, after: string) {
    const dir = temporaryFiles({ ...network, 'app.yaml': after });
    const good = lastGood(await loadFiles({ 'app.yaml': before }), undefined);
    const read = await loadDirectory(dir, { inputs: ['app.yaml'], findStack: () => ({ owner: '11111111' }) });
    const checked = await withCheckedOutputs(read, dir, libraryContext({ dir, env: {} }));
    return { checked, kept: lastGood(checked, good) };
  }

  test('leaves what takes it at its last good version', async () => {
    const { checked, kept } = await checkedAfter(address('mqtt', 'Sensors'), address('mqtt', missing));
    expect(errorsOf(checked)).toEqual(['UNKNOWN_REFERENCE']);
    expect([...(checked.brokenFiles ?? [])]).toEqual(['app.yaml']);
    expect(specIn(kept, 'ReservedAddr/mqtt')).toMatchObject({ description: 'Sensors' });
  });

  test('leaves what takes another value of that at its last good version, too', async () => {
    const { checked, kept } = await checkedAfter(
      address('mqtt', 'Sensors') + copy('region'),
      inAmerica + copy('region'),
    );
    expect(errorsOf(checked)).toEqual(['UNKNOWN_REFERENCE']);
    expect(specIn(kept, 'ReservedAddr/copy')).toMatchObject({ description: 'eu' });
  });

  test('leaves what takes the output from there at its last good version, too', async () => {
    const before = address('mqtt', 'Sensors') + copy('description');
    const { kept } = await checkedAfter(before, address('mqtt', missing) + copy('description'));
    expect(specIn(kept, 'ReservedAddr/copy')).toMatchObject({ description: 'Sensors' });
  });
});

test('what takes from a broken resource a value that only the service knows stays at its last good version', async () => {
  const [eu, us] = [address('eu', 'Europe'), address('us', 'America')];
  const taking = (name: string): string => `{ref: ReservedAddr/${name}, field: addr}`;
  const users = address('copy', '{ref: ReservedAddr/mqtt, field: description}');
  const before = { 'a.yaml': eu + us, 'b.yaml': users, 'mqtt.yaml': address('mqtt', taking('eu')) };
  const after = { ...before, 'mqtt.yaml': address('mqtt', taking('us')).replace('region:', 'regoin: x, region:') };
  const { kept } = await inForce(before, after);
  expect(specIn(kept, 'ReservedAddr/copy')).toMatchObject({ description: new Ref('ReservedAddr/eu', 'addr') });
});

test('of externals in a file with errors, the last good names are still known', async () => {
  const more = external('bkdhr_2').replace('{name: be}', '{name: other}');
  const before = { 'a.yaml': external('bkdhr_1'), 'b.yaml': more };
  const { kept } = await inForce(before, { 'a.yaml': 'kind: [', 'b.yaml': more.replace('bkdhr_2', 'bkdhr_3') });
  expect(kept.externals).toMatchObject({ bkdhr_1: 'External/be', bkdhr_3: 'External/other' });
});

/** What is in force after these files, and what of them was read. */
async function inForce(before: Files, after: Files, options: Partial<LoadOptions> = {}) {
  const good = lastGood(await loadFiles(before, options), undefined);
  const read = await loadFiles(after, options);
  return { read, kept: lastGood(read, good) };
}

function withSignIn(name: string): Partial<LoadOptions> {
  const value = { provider: { google: { email_domains: ['example.com'] } } };
  const target = { kind: 'HTTPSEdgeRoute', name };
  return { patches: [{ target, patch: [{ op: 'add', path: '/spec/oauth', value }] }] };
}

function errorsOf({ diagnostics }: DesiredStack): string[] {
  return diagnostics.flatMap(({ severity, code }) => (severity === 'error' ? [code] : []));
}

function addressesIn({ resources }: DesiredStack): string[] {
  return resources.map(({ address }) => address).sort();
}

function specIn({ resources }: DesiredStack, wanted: string): unknown {
  return resources.find(({ address }) => address === wanted)?.spec;
}
