import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import type { EmulatorOptions } from '../../src/emulator/options.ts';
import { directory, sluice, type Ended } from './terminal.ts';

interface Service {
  readonly emulator: Emulator;
  /** Makes something by hand; its id. */
  readonly make: (path: string, body: object) => Promise<string>;
  readonly run: (args: string, env?: Readonly<Record<string, string>>) => Promise<Ended>;
  readonly dir: string;
}

/** A service, and a stack that has nothing there yet. */
async function service(options: EmulatorOptions = {}): Promise<Service> {
  const emulator = createEmulator({ seed: 3, ...options });
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const profile = options.profile ?? 'completed';
  const dir = await directory({
    'sluice.yaml': `version: 1
stack: {name: company, id: 5c1e7a90}
manifests: [manifests]
api: {base_url: "${url}", vendor: example, profile: ${profile}}
`,
  });
  const key = { SLUICE_API_KEY: 'right' };
  return {
    emulator,
    dir,
    run: (args, env = {}) => sluice(dir, args, { env: { ...key, ...env } }),
    make: async (path, body) => {
      const headers = { authorization: 'Bearer right', 'example-version': '2', 'content-type': 'application/json' };
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(answer.status).toBe(201);
      return ((await answer.json()) as { id: string }).id;
    },
  };
}

const ca = await readFile(new URL('../generators/data/partners-ca.pem', import.meta.url), 'utf8');

/** An edge with two routes, and the authority it trusts, as a person has made them. */
async function shop({ make }: Service): Promise<{ edge: string; authority: string; routes: readonly string[] }> {
  const authority = await make('/certificate_authorities', { ca_pem: ca, description: 'Partners' });
  const edge = await make('/edges/https', {
    hostports: ['Shop.example.com:443', 'api.example.com:8443'],
    metadata: '{"team":"web","tier":2}',
    mutual_tls: { certificate_authority_ids: [authority] },
  });
  const root = await make(`/edges/https/${edge}/routes`, {
    match_type: 'path_prefix',
    match: '/',
    backend: { backend_id: 'bkd_1' },
    compression: {},
    request_headers: { add: { 'X-Area': 'shop' } },
  });
  const hooks = await make(`/edges/https/${edge}/routes`, {
    match_type: 'exact_path',
    match: '/hooks',
    backend: { backend_id: 'bkd_1', enabled: false },
    webhook_verification: { provider: 'github', secret: 'canary-hook' },
  });
  return { edge, authority, routes: [root, hooks] };
}

test('export writes what a person would: defaults left out, names for ids, a variable for each secret', async () => {
  const here = await service();
  const { edge, authority, routes } = await shop(here);
  const { code, out, err } = await here.run('export https-edge certificate-authority');
  expect({ code, err }).toEqual({
    code: 0,
    err: `Secrets were not exported. Before the next plan, set these environment variables to the current values of the secrets:
  API_EXAMPLE_COM_8443_HOOKS_WEBHOOK_VERIFICATION_SECRET
`,
  });
  expect(out).not.toContain('canary');
  expect(out).toBe(`apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: api-example-com-8443}
lifecycle: {adopt: ${edge}}
spec:
  metadata:
    team: web
    tier: 2
  hostports: [api.example.com:8443, shop.example.com:443]
  mutual_tls:
    certificate_authority_ids:
      - {ref: partners-ca}
  routes:
    - lifecycle: {adopt: ${routes[0] ?? ''}}
      match_type: path_prefix
      match: /
      backend: {backend_id: bkd_1}
      compression: {}
      request_headers:
        add: {x-area: shop}
    - lifecycle: {adopt: ${routes[1] ?? ''}}
      match_type: exact_path
      match: /hooks
      backend:
        enabled: false
        backend_id: bkd_1
      webhook_verification:
        provider: github
        secret: {from_env: API_EXAMPLE_COM_8443_HOOKS_WEBHOOK_VERIFICATION_SECRET}
---
apiVersion: sluice/v1
kind: CertificateAuthority
metadata: {name: partners-ca}
lifecycle: {adopt: ${authority}}
spec:
  description: Partners
  ca_pem: |
${ca.trimEnd().replaceAll(/^/gm, '    ')}
`);
});

test('export of one resource brings what lives in it, and keeps the ids of what stays behind', async () => {
  const here = await service();
  const { edge, authority } = await shop(here);
  await here.make('/edges/https', { hostports: ['other.example.com:443'] });
  const { out } = await here.run(`export https-edge/${edge}`);
  expect(out.match(/^kind: .*/gm)).toEqual(['kind: HTTPSEdge']);
  expect(out).toContain(`certificate_authority_ids: [${authority}]`);
  expect(out).toContain('match: /hooks');
});

test('export gives each a name of its own, the oldest the plain one', async () => {
  let seconds = 0;
  const { make, run } = await service({ clock: () => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++)) });
  const sources = [{ type: 'edge_created.v0' }];
  const ids: string[] = [];
  for (const description of ['one', 'two', 'three'])
    ids.push(await make('/event_subscriptions', { sources, description }));
  const { out } = await run('export event-subscription');
  expect([...out.matchAll(/name: ([\w-]+)\}\nlifecycle: \{adopt: (\w+)\}/g)].map(([, name, id]) => [name, id])).toEqual(
    [
      ['edge-created-v0', ids[0]],
      ['edge-created-v0-2', ids[1]],
      ['edge-created-v0-3', ids[2]],
    ],
  );
});

test('export --out writes a file for each resource, and never over an existing one unless a flag allows it', async () => {
  const here = await service();
  await shop(here);
  const wrote = await here.run('export --out manifests');
  expect(wrote).toMatchObject({
    code: 0,
    out: 'manifests/https-edge/api-example-com-8443.yaml\nmanifests/certificate-authority/partners-ca.yaml\n',
  });
  const path = join(here.dir, 'manifests/https-edge/api-example-com-8443.yaml');
  await writeFile(path, '# mine\n');
  expect(await here.run('export --out manifests')).toMatchObject({ code: 8 });
  const lost = { code: 8, out: '', err: expect.stringContaining('--overwrite requires --out') as string };
  expect(await here.run('export --overwrite')).toMatchObject(lost);
  expect(await readFile(path, 'utf8')).toBe('# mine\n');
  expect(await here.run('export --out manifests --overwrite')).toMatchObject({ code: 0 });
  const secret = { API_EXAMPLE_COM_8443_HOOKS_WEBHOOK_VERIFICATION_SECRET: 'canary-hook' };
  const { out } = await here.run('plan', secret);
  expect(out).toContain('4 to adopt');
  expect(await here.run('apply --auto-approve', secret)).toMatchObject({ code: 0 });
  // What is of the stack by now keeps its name, and needs no adoption.
  const again = await here.run('export');
  expect(again.out).not.toContain('adopt');
  expect(again.out).toContain('name: api-example-com-8443');
});

test('export --out writes nothing into .git', async () => {
  const { make, run } = await service();
  await make('/reserved_addrs', { description: 'Sensors' });
  const { code, err } = await run('export --out .git/manifests');
  expect([code, err]).toEqual([
    8,
    'error: .git/manifests is inside a .git directory; nothing was written\n  choose another directory\n',
  ]);
});

test('export --out writes nothing through a link of the checkout that leads out of the directory', async () => {
  const { dir, make, run } = await service();
  await make('/reserved_addrs', { description: 'Sensors' });
  const outside = await directory();
  await mkdir(join(dir, 'manifests'));
  await symlink(outside, join(dir, 'manifests/reserved-addr'));
  for (const flags of ['', ' --overwrite']) {
    const { code, err } = await run(`export --out manifests${flags}`);
    expect([code, err]).toEqual([
      8,
      expect.stringMatching(
        /^error: manifests\/reserved-addr\/[\w-]+\.yaml is outside of manifests, because of a symbolic link; nothing was written\n {2}choose another directory\n$/,
      ),
    ]);
  }
  expect(await readdir(outside)).toEqual([]);
});

test('export leaves out what another stack has marked, unless that is asked for', async () => {
  const here = await service();
  const marker = { s: 'office/0ff1ce00', a: 'ReservedAddr/printer', p: 'p', n: '000000000000' };
  const id = await here.make('/reserved_addrs', { metadata: JSON.stringify({ sluice: marker }) });
  const without = await here.run('export');
  expect(without).toMatchObject({ code: 0, out: '' });
  expect(without.err).toContain('Skipped 1 ');
  const { out } = await here.run('export --all-stacks');
  expect(out).toContain(`metadata: {name: printer}\nlifecycle:\n  adopt: ${id}\n  adopt_from: "0ff1ce00"\nspec: {}\n`);
});

test('under documented, export reports what it could not list, and takes ids', async () => {
  const here = await service({ profile: 'documented' });
  const { edge } = await shop(here);
  const hidden = await here.make('/edges/https', {});
  const seen = await here.run('export');
  expect(seen.err).toContain('The profile documented has no list operation for HTTPSEdge');
  expect(seen.out).toContain(edge);
  expect(seen.out).not.toContain(hidden);
  const { out } = await here.run(`export --all https-edge/${hidden}`);
  expect(out).toContain(edge);
  expect(out).toContain(hidden);
});

test('export refuses what it cannot find or does not know', async () => {
  const { run } = await service();
  expect((await run('export https-edg')).err).toContain('did you mean HTTPSEdge?');
  expect(await run('export https-edge/edghts_none')).toMatchObject({ code: 8 });
  expect(await run('export https-edge-route/edghtsrt_1')).toMatchObject({ code: 8 });
});

test('export as JSON is one List, which a plan reads as well', async () => {
  const here = await service();
  await shop(here);
  const { out } = await here.run('export --format json');
  const list = JSON.parse(out) as { kind: string; items: { kind: string }[] };
  expect([list.kind, list.items.map(({ kind }) => kind)]).toEqual(['List', ['HTTPSEdge', 'CertificateAuthority']]);
});

test('of an account without resources nothing is written, and that is said', async () => {
  const { run } = await service();
  expect(await run('export --all')).toEqual({ code: 0, out: '', err: 'There are no resources to export.\n' });
});
