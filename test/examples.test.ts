import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kinds } from '../src/kinds/index.ts';
import { loadManifests } from '../src/manifest/load.ts';
import { readStackFile } from '../src/manifest/stack-file/stack-file.ts';
import { createEmulator } from '../src/emulator/emulator.ts';
import { directory, sluice } from './cli/terminal.ts';
import { loadDefaults } from './support/load-defaults.ts';
import type { DesiredStack } from '../src/model/resource.ts';

const root = resolve(import.meta.dirname, '../examples');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.[a-z]+$/.test(name) && !name.includes('.sluice'))
  .sort();
const manifests = files.filter((name) => name.endsWith('.yaml') && !/files\/|^(deploy|pipelines)\//.test(name));

describe('the examples', () => {
  test.each(manifests)('%s names a schema that exists', (name) => {
    const [, schema] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(readFileSync(join(root, name), 'utf8')) ?? [];
    expect(schema).toBeDefined();
    const path = resolve(root, dirname(name), schema!);
    expect([relative(resolve(root, '..'), path), existsSync(path)]).toEqual([
      expect.stringMatching(/^schemas\//),
      true,
    ]);
  });

  test('show every kind and every module of a route', () => {
    const texts = manifests.filter((name) => name.startsWith('company/manifests/')).map(read);
    const shown = texts.flatMap((text) => parseAllDocuments(text).flatMap((document) => wordsOf(document.toJS())));
    const route = kinds.named('HTTPSEdgeRoute')!;
    const modules = Object.entries(route.fields).flatMap(([name, field]) => (field.is === 'group' ? [name] : []));
    expect(modules).toHaveLength(13);
    for (const word of [...kinds.all.map(({ name }) => name), ...modules, 'External', 'ModuleSet'])
      expect(shown).toContain(word);
  });

  test.each(['company', 'staging'])('%s loads with nothing to complain about', async (stack) => {
    expect((await load(stack)).diagnostics).toEqual([]);
  });

  test.each(['company', 'staging'])('%s uses one field that the profile `documented` does not have', async (stack) => {
    const { diagnostics } = await load(stack, 'documented');
    expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'UNSUPPORTED_CHANGE: the API profile documented does not support setting `ReservedAddr.spec.endpoint_configuration_id`',
    ]);
  });

  test('staging is the company at other places, and keeps nothing from being deleted', async () => {
    const [company, staging] = [await load('company'), await load('staging')];
    const addresses = ({ resources }: DesiredStack) => resources.map(({ address }) => address).sort();
    expect(addresses(staging)).toEqual(addresses(company));

    const hostports = ({ resources }: DesiredStack) => resources.flatMap(({ spec }) => spec['hostports'] ?? []);
    expect(hostports(staging)).toHaveLength(4);
    expect(hostports(staging).filter((hostport) => hostports(company).includes(hostport))).toEqual([]);

    const unprotected = staging.resources.filter(({ lifecycle }) => lifecycle.protect === false);
    expect(unprotected.map(({ address }) => address)).toEqual(['ReservedAddr/mqtt-eu', 'ReservedAddr/mqtt-us']);
  });

  test('the environments share their manifests and differ in their variables', async () => {
    const env = { SHOP_CLIENT_SECRET: 'one' };
    const [staging, production] = await Promise.all(
      ['staging', 'production'].map((name) => sluice(join(root, 'environments', name), 'render', { env })),
    );
    expect(staging?.out).toContain('hostports: [shop.staging.example.com:443]');
    expect(production?.out).toContain('hostports: [shop.example.com:443]');
    const common = (text = '') => text.replaceAll(/staging\.|staging|production/g, '');
    expect([staging?.code, common(staging?.out)]).toEqual([0, common(production?.out)]);
  });

  test('the stacks are applied in the order of their outputs', async () => {
    const { url, close } = await createEmulator({ seed: 3 }).listen();
    onTestFinished(close);
    const dir = await directory();
    cpSync(join(root, 'stacks'), dir, { recursive: true });
    const env = { SLUICE_API_KEY: 'right', SLUICE_BASE_URL: url };
    const { code, out } = await sluice(dir, 'apply --all --auto-approve', { env });
    expect([code, out.match(/^== .*$/gm)]).toEqual([0, ['== network ==', '== app ==']]);
    expect(out).toMatch(/mqtt-address: [\w.]+:\d+/);
    expect((await sluice(dir, 'plan --all --detailed-exitcode', { env })).code).toBe(0);
  });

  test('hold no private key', () => {
    for (const name of files) expect(read(name)).not.toMatch(/PRIVATE KEY/);
  });
});

/** A stack as its sluice.yaml describes it. */
async function load(stack: string, profile: 'completed' | 'documented' = 'completed'): Promise<DesiredStack> {
  const { file, diagnostics } = readStackFile(join(root, stack, 'sluice.yaml'));
  expect(diagnostics).toEqual([]);
  const { dir, settings, patches } = file!;
  return loadManifests({
    ...loadDefaults,
    dir,
    inputs: settings.manifests,
    profile,
    patches,
    env: { DEPLOY_WEBHOOK_SECRET: 'one', SHOP_GITHUB_CLIENT_SECRET: 'two', SHOP_OIDC_CLIENT_SECRET: 'three' },
    roots: settings.secrets.dirs,
  });
}

function read(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

/** Every key, and every `kind`, in a document. */
function wordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...(key === 'kind' ? [String(inner)] : wordsOf(inner))]);
}
