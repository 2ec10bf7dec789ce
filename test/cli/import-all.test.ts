import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { kinds } from '../../src/kinds/index.ts';
import { forgetMarkers } from '../generators/actor.ts';
import { asScenario, edited, files } from '../laws/cases.ts';
import { harness } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import { oneSecret, stackFile } from './exported.ts';
import { directory, sluice, type Ended } from './terminal.ts';

const ca = await readFile(new URL('../generators/data/partners-ca.pem', import.meta.url), 'utf8');

const manifests = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  description: Public shop
  hostports: [shop.example.com:443]
  mutual_tls: {certificate_authority_ids: [{ref: partners}]}
  routes:
    - {match_type: path_prefix, match: /, backend: {backend_id: bkd_1}}
    - {match_type: path_prefix, match: /new, backend: {backend_id: bkd_1}}
---
apiVersion: sluice/v1
kind: CertificateAuthority
metadata: {name: partners}
spec:
  ca_pem: |
${ca.replaceAll(/^(?=.)/gm, '    ')}
---
apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
spec: {region: eu}
`;

test('one address that nothing matches needs an id, and one that is managed already needs nothing', async () => {
  const { run, make } = await service();
  await make('/reserved_addrs', { region: 'eu' });
  const unmatched = await run('import ReservedAddr/mqtt --auto-approve');
  expect(unmatched.code).toBe(1);
  expect(unmatched.err).toContain('no unmanaged resource has the same unique value as ReservedAddr/mqtt');
  expect(unmatched.err).toContain('pass the id of the resource: `sluice import ReservedAddr/mqtt ID`');
  expect((await run('apply --auto-approve')).code).toBe(0);
  const managed = await run('import ReservedAddr/mqtt --auto-approve');
  expect(managed.code).toBe(0);
  expect(managed.err).toMatch(/ReservedAddr\/mqtt already manages the resource \S+\. Nothing was changed\./);
});

interface Service {
  readonly make: (path: string, body: object) => Promise<string>;
  readonly run: (args: string, io?: object) => Promise<Ended>;
}

async function service(): Promise<Service> {
  const { url, close } = await createEmulator({ seed: 5 }).listen();
  onTestFinished(close);
  const dir = await directory({ 'sluice.yaml': stackFile(url, 'completed'), 'manifests/all.yaml': manifests });
  const headers = { authorization: 'Bearer right', 'example-version': '2', 'content-type': 'application/json' };
  return {
    run: (args, io = {}) => sluice(dir, args, { env: { SLUICE_API_KEY: 'right' }, ...io }),
    make: async (path, body) => {
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return ((await answer.json()) as { id: string }).id;
    },
  };
}

/** An edge with a route, and the authority it trusts, made by hand. */
async function shop({ make }: Service, hostports = ['Shop.example.com:443']): Promise<readonly string[]> {
  const authority = await make('/certificate_authorities', { ca_pem: ca });
  const edge = await make('/edges/https', { hostports, mutual_tls: { certificate_authority_ids: [authority] } });
  const body = { match_type: 'path_prefix', match: '/', backend: { backend_id: 'bkd_1' } };
  return [authority, edge, await make(`/edges/https/${edge}/routes`, body)];
}

test('import --all shows what matches by which value and what would change, asks, and adopts just that', async () => {
  const here = await service();
  const [authority = '', edge = '', route = ''] = await shop(here);
  const asked: string[] = [];
  const ask = (question: string): Promise<string> => {
    asked.push(question);
    return Promise.resolve('yes');
  };
  const { code, out } = await here.run('import --all', { terminal: { in: true, out: false, err: true }, ask });
  expect(code).toBe(0);
  const rows = out
    .slice(0, out.indexOf('\n\n'))
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(rows).toEqual([
    ['ADDRESS', 'ID', 'MATCHED BY', 'CHANGES'],
    ['HTTPSEdge/shop', edge, 'hostports shop.example.com:443', 'description'],
    ['CertificateAuthority/partners', authority, 'ca_pem', 'none'],
    ['HTTPSEdgeRoute/shop:/', route, 'match /', 'none'],
  ]);
  expect(asked).toEqual(['\nImport these 3 resources? Only "yes" will be accepted: ']);
  const plan = await here.run('plan');
  expect(plan.out).toContain('2 to create');
  expect(plan.out).not.toMatch(/^[-+~] HTTPSEdge\/shop /m);
});

test('a pattern limits what is imported; nothing is imported without approval or without a match', async () => {
  const here = await service();
  await shop(here);
  expect(await here.run('import --all')).toMatchObject({ code: 8 });
  const one = await here.run('import CertificateAuthority/* --auto-approve');
  expect(one).toMatchObject({ code: 0 });
  expect(one.out).not.toContain('HTTPSEdge');
  const none = await here.run('import ReservedAddr/* --auto-approve');
  expect(none).toMatchObject({
    code: 0,
    err: 'Nothing to import: no unmanaged resource has the same unique value as a manifest, such as its hostport.\n',
  });
  expect(await here.run('import')).toMatchObject({ code: 8 });
  expect(await here.run('import HTTPSEdge/shop --all')).toMatchObject({ code: 8 });
});

test('what matches several resources is left to the user', async () => {
  const here = await service();
  const [first = ''] = await shop(here);
  const second = await here.make('/certificate_authorities', { ca_pem: ca });
  const { code, err } = await here.run('import CertificateAuthority/* --auto-approve');
  expect(code).toBe(0);
  expect(err).toContain('CertificateAuthority/partners matches ');
  expect(err).toContain(first);
  expect(err).toContain(second);
  const one = await here.run('import CertificateAuthority/partners --auto-approve');
  expect(one.code).toBe(1);
  expect(one.err).toMatch(/CertificateAuthority\/partners matches several resources: \S+, \S+\n/);
  expect(one.err).toContain('pass the id of the resource: `sluice import CertificateAuthority/partners ID`');
  expect(one.err).not.toContain('no unmanaged resource');
});

test('a plan of what exists unmanaged names the line to write and the command', async () => {
  const here = await service();
  const [, edge = ''] = await shop(here);
  const { code, err } = await here.run('plan');
  expect(code).toBe(8);
  expect(err).toContain(`lifecycle: {adopt: ${edge}} in the manifest or with \`sluice import --all\``);
});

test('everything that has a unique value is imported, and then the plan only creates what has none', async () => {
  await mustHold({
    on: edited('completed'),
    runs: 6,
    scenario: ({ before }) => asScenario('completed', before),
    holds: async ({ before }) => {
      const emulator = createEmulator({ seed: 1 });
      const items = oneSecret(before);
      const made = harness({ emulator, stack: { name: 'others', id: '00000001' } });
      await made.apply((await made.plan(files(items))).plan);
      forgetMarkers(emulator, kinds);
      const { url, close } = await emulator.listen();
      try {
        const dir = await directory({ 'sluice.yaml': stackFile(url, 'completed') });
        const text = files(items)['stack.yaml'] ?? '';
        const io = { env: { SLUICE_API_KEY: 'any' }, stdin: () => Promise.resolve(Buffer.from(text)) };
        expect(await sluice(dir, 'import --all -f - --auto-approve', io)).toMatchObject({ code: 0 });
        const plan = await sluice(dir, 'plan -f - --format json', io);
        const { resource_changes: changes } = JSON.parse(plan.out) as {
          readonly resource_changes: readonly {
            readonly type: string;
            readonly change: {
              readonly actions: readonly string[];
              readonly after: { readonly hostports?: readonly string[] };
            };
          }[];
        };
        const created = changes.filter(({ change }) => change.actions.join() === 'create');
        const edges = created.filter(({ type }) => type === 'HTTPSEdge');
        // An edge that serves nothing cannot be recognized, nor can its routes.
        for (const { change } of edges) expect(change.after.hostports ?? []).toEqual([]);
        if (edges.length === 0) expect(created.map(({ type }) => type)).not.toContain('HTTPSEdgeRoute');
        expect(created.map(({ type }) => type)).not.toContain('AgentIngress');
        expect(changes.some(({ change }) => change.actions.includes('delete'))).toBe(false);
      } finally {
        await close();
      }
    },
  });
});
