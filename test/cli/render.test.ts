import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { company, directory, sluice, stack, stackFile } from './terminal.ts';

const restricted = `apiVersion: sluice/v1
kind: ModuleSet
metadata: {name: staff}
spec:
  oidc: {issuer: https://id.example.com, client_id: shop, client_secret: {from_env: OIDC_SECRET}}
---
apiVersion: sluice/v1
kind: External
metadata: {name: backend}
spec: {type: backend, id: bkd_1}
---
apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop, labels: {team: web}}
spec:
  description: {from_env: SLUICE_VAR_NAME}
  hostports: [shop.example.com:443]
  routes:
    - match_type: path_prefix
      match: /
      backend: {backend_id: {ref: backend}}
      module_sets: [staff]
    - name: hooks
      match_type: path_prefix
      match: /hooks
      backend: {backend_id: {ref: backend}}
      webhook_verification: {provider: github, secret: hunter2-hunter2}
`;

const patched = `${stackFile}patches:
  - target: {kind: HTTPSEdge, name: shop}
    patch: [{op: replace, path: /spec/hostports/0, value: "shop.staging.example.com:443"}]
`;

const io = { env: { SLUICE_VAR_NAME: 'The shop' } };

test('each resource is printed as a manifest of its own, after patches, module sets and values; secrets stay outside', async () => {
  const { code, out, err } = await sluice(await stack(restricted, patched), 'render', io);
  expect([code, out]).toEqual([
    0,
    `# Source: manifests/company.yaml:12
apiVersion: sluice/v1
kind: HTTPSEdge
metadata:
  name: shop
  labels: {team: web}
spec:
  description: The shop
  hostports: [shop.staging.example.com:443]
---
# Source: manifests/company.yaml:19
apiVersion: sluice/v1
kind: HTTPSEdgeRoute
metadata: {}
spec:
  edge_id: {ref: shop}
  match_type: path_prefix
  match: /
  backend: {backend_id: bkd_1}
  oidc:
    issuer: "https://id.example.com"
    client_id: shop
    client_secret: {from_env: OIDC_SECRET}
---
# Source: manifests/company.yaml:23
apiVersion: sluice/v1
kind: HTTPSEdgeRoute
metadata: {name: hooks}
spec:
  edge_id: {ref: shop}
  match_type: path_prefix
  match: /hooks
  backend: {backend_id: bkd_1}
  webhook_verification:
    provider: github
    secret: {from_env: HTTPSEDGEROUTE_SHOP_HOOKS_WEBHOOK_VERIFICATION_SECRET}
`,
  ]);
  expect(err).toContain('HTTPSEDGEROUTE_SHOP_HOOKS_WEBHOOK_VERIFICATION_SECRET\n');
  expect(out + err).not.toContain('hunter2');
});

test('what is printed plans as what it was printed from', async () => {
  const dir = await stack();
  const { out } = await sluice(dir, 'render');
  await sluice(dir, 'apply --auto-approve');
  const again = await sluice(dir, 'plan -f -', { stdin: () => Promise.resolve(Buffer.from(out)) });
  expect(again.out).toContain('No changes. 3 resources in sync.');
  const json = await sluice(dir, 'render --format json');
  const fromJson = await sluice(dir, 'plan -f -', { stdin: () => Promise.resolve(Buffer.from(json.out)) });
  expect(fromJson.out).toContain('No changes. 3 resources in sync.');
});

test.each([
  ['--kind routes', ['HTTPSEdgeRoute']],
  ['--kind edge --kind addr', ['ReservedAddr', 'HTTPSEdge']],
  ['--target edge/shop', ['HTTPSEdge']],
  ['--target */shop*', ['HTTPSEdge', 'HTTPSEdgeRoute']],
  ['-l team=web', ['HTTPSEdge']],
])('%s prints only those', async (flags, kinds) => {
  const { code, out } = await sluice(await stack(company), `render ${flags}`);
  const documents = parseAllDocuments(out).map((document) => (document.toJS() as { kind: string }).kind);
  expect([code, documents]).toEqual([0, kinds]);
});

test('invalid manifests are reported, and nothing is printed', async () => {
  const { code, out, err } = await sluice(await stack(company.replace('region: eu', 'regoin: eu')), 'render');
  expect([code, out]).toEqual([8, '']);
  expect(err).toContain('unknown field');
  expect((await sluice(await directory(), 'render')).code).toBe(8);
});

test('the example of an overlay renders and is formatted', async () => {
  const dir = new URL('../../examples/staging', import.meta.url).pathname;
  const { code, out } = await sluice(dir, 'render');
  expect(code).toBe(0);
  expect(out).toContain('shop.staging.example.com:443');
  const formatted = await sluice(await directory(), 'fmt -', { stdin: () => Promise.resolve(Buffer.from(out)) });
  expect(formatted.out).toBe(out);
});
