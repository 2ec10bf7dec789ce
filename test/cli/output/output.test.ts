import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import { hastyClock } from '../../attack/hasty-clock.ts';
import { company, directory, sluice, stack, stackFile, type Ended } from '../terminal.ts';

const restricted = `---
apiVersion: sluice/v1
kind: HTTPSEdgeRoute
metadata: {name: office}
spec:
  edge_id: {ref: shop}
  match_type: path_prefix
  match: office.example.com/in
  backend: {backend_id: bkd_1}
  saml: {idp_metadata: '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://id.example.com"/>'}
  webhook_verification: {provider: github, secret: {from_env: HOOK}}
`;

interface Applied {
  readonly run: (args: string, terminal?: boolean) => Promise<Ended>;
  readonly ids: Readonly<Record<string, string>>;
}

/** The company with a restricted route, applied. */
async function applied(): Promise<Applied> {
  const { url, close } = await createEmulator({ seed: 7 }).listen();
  onTestFinished(close);
  const dir = await stack(company + restricted);
  const env = { SLUICE_BASE_URL: url, SLUICE_API_KEY: 'right', HOOK: 'canary-hook' };
  const run: Applied['run'] = (args, out = false) =>
    sluice(dir, args, { env, terminal: { in: false, out, err: false } });
  expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
  const { entries } = JSON.parse(await readFile(join(dir, '.sluice/state.json'), 'utf8')) as {
    entries: Record<string, { id: string }>;
  };
  return { run, ids: Object.fromEntries(Object.entries(entries).map(([address, { id }]) => [address, id])) };
}

describe('sluice output', () => {
  test('tells of every resource by what others find it, as the words that ask for each value', async () => {
    const { run, ids } = await applied();
    const { out } = await run('output');
    expect(out).toMatch(new RegExp(`^HTTPSEdge/shop\\.id +${ids['HTTPSEdge/shop'] ?? ''}$`, 'm'));
    expect(out).toMatch(/^HTTPSEdge\/shop\.urls +https:\/\/shop\.example\.com$/m);
    expect(out).toMatch(/^ReservedAddr\/mqtt\.addr +\S+:\d+$/m);
    expect(out).toMatch(/^HTTPSEdgeRoute\/shop:front\.match +\/$/m);
    const { outputs } = JSON.parse((await run('output --format json')).out) as { outputs: Record<string, object> };
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(ids).sort());
    expect(outputs['HTTPSEdge/shop']).toEqual({
      id: ids['HTTPSEdge/shop'],
      urls: ['https://shop.example.com'],
      hostports: ['shop.example.com:443'],
    });
  });

  test('tells one value alone, with nothing around it', async () => {
    const { run, ids } = await applied();
    expect((await run('output ReservedAddr/mqtt.id --raw')).out).toBe(ids['ReservedAddr/mqtt']);
    expect((await run('output ReservedAddr/mqtt.id')).out).toBe(`${ids['ReservedAddr/mqtt'] ?? ''}\n`);
    expect((await run('output HTTPSEdge/shop.urls --raw')).out).toBe('https://shop.example.com\n');
    const { out } = await run('output HTTPSEdge/shop.urls --format json');
    expect(JSON.parse(out)).toMatchObject({ output: 'HTTPSEdge/shop.urls', value: ['https://shop.example.com'] });
  });

  test('tells what only the service decides inside a module', async () => {
    const { run } = await applied();
    const { out } = await run('output HTTPSEdgeRoute/shop:office.saml.metadata_url --raw');
    expect(out).toMatch(/^https?:\/\/\S+$/);
  });

  test('tells all of one resource, and never a secret', async () => {
    const { run } = await applied();
    for (const flags of ['', ' --format json', ' --format yaml']) {
      const { out } = await run(`output HTTPSEdgeRoute/shop:office${flags}`);
      expect(out).toContain('github');
      expect(out).not.toContain('canary');
      expect(out).not.toContain('5c1e7a90');
    }
    const refused = await run('output HTTPSEdgeRoute/shop:office.webhook_verification.secret --raw');
    expect(refused).toMatchObject({ code: 3, out: '' });
  });

  test('works for a stack that lost its state', async () => {
    const { url, close } = await createEmulator({ seed: 7 }).listen();
    onTestFinished(close);
    const env = { SLUICE_BASE_URL: url, SLUICE_API_KEY: 'right' };
    expect(await sluice(await stack(), 'apply --auto-approve', { env })).toMatchObject({ code: 0 });
    const { out } = await sluice(await stack(), 'output ReservedAddr/mqtt.id --raw', { env });
    expect(out).toMatch(/^ra_\w+$/);
  });

  test('tells of a resource whose replacement was created unseen what it tells of the whole stack', async () => {
    const emulator = createEmulator({ apiKey: 'right', seed: 1 });
    const inRegion = (region: string): string =>
      `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: mqtt}\nlifecycle: {protect: false}\nspec: {region: ${region}}\n`;
    const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/a.yaml': inRegion('eu') });
    const env = { SLUICE_API_KEY: 'right', SLUICE_BASE_URL: 'http://127.0.0.1:1' };
    const run = (line: string): Promise<Ended> =>
      sluice(dir, line, { network: emulator.dispatcher(), clock: hastyClock(), env });
    expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
    await writeFile(join(dir, 'manifests/a.yaml'), inRegion('us'));
    let isLost = false;
    const recover = emulator.intercept(async ({ method }, go) => {
      if (!isLost && method === 'POST') await go();
      isLost ||= method === 'POST';
      return isLost ? { status: 500, headers: {}, body: '' } : go();
    });
    expect((await run('apply --auto-approve --allow LOSES_ADDRESS')).out).toContain('1 unknown');
    recover();
    const { outputs } = JSON.parse((await run('output --format json')).out) as { outputs: Record<string, object> };
    expect(outputs['ReservedAddr/mqtt']).toMatchObject({ region: 'us' });
    expect((await run('output ReservedAddr/mqtt.region')).out).toBe('us\n');
  });

  test.each([
    ['Reserved/mqtt', 'did you mean ReservedAddr?'],
    ['ReservedAddr/mqt.id', 'did you mean ReservedAddr/mqtt'],
    ['ReservedAddr/mqtt.adr', 'did you mean addr?'],
    ['ReservedAddr/mqtt.addr.deeper', 'does not exist'],
    ['ReservedAddr/mqtt.constructor', 'does not exist'],
    ['HTTPSEdge/shop --raw', 'has several fields, but --raw prints only one field'],
    ['--raw', '--raw requires one field'],
  ])('reports what is wrong with %s', async (words, reported) => {
    const { run } = await applied();
    const { code, out, err } = await run(`output ${words}`);
    expect({ code, out }).toEqual({ code: 8, out: '' });
    expect(err).toContain(reported);
  });
});
