import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directory, sluice, stackFile } from './terminal.ts';

const env = { SLUICE_API_KEY: 'any' };
const manifest = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443, '*.example.com:8443']
  routes:
    - {match_type: path_prefix, match: /, backend: {backend_id: bkd_1}}
    - {match_type: path_prefix, match: /off, backend: {backend_id: bkd_1, enabled: false}}
    - {match_type: path_prefix, match: /admin, backend: {backend_id: bkd_2}, oauth: {provider: {google: {}}}}
`;

test('exposure lists who can reach what, public first, as a table, Markdown and JSON', async () => {
  const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/shop.yaml': manifest });
  expect((await sluice(dir, 'exposure', { env })).out).toBe('No URL of this stack can be reached.\n');
  const { code, out } = await sluice(dir, 'exposure --planned', { env });
  expect([code, out]).toEqual([
    0,
    `WHO                                            BEFORE  URL                                ROUTE
anyone                                         nobody  https://*.example.com:8443/…       HTTPSEdgeRoute/shop:/
                                                       https://shop.example.com/…         HTTPSEdgeRoute/shop:/
authentication (anyone with a Google account)  nobody  https://*.example.com:8443/admin…  HTTPSEdgeRoute/shop:/admin
                                                       https://shop.example.com/admin…    HTTPSEdgeRoute/shop:/admin

Anyone can reach these other spellings of protected paths:
  https://*.example.com:8443/ADMIN reaches HTTPSEdgeRoute/shop:/; https://*.example.com:8443/admin… is protected
  https://shop.example.com/ADMIN reaches HTTPSEdgeRoute/shop:/; https://shop.example.com/admin… is protected
`,
  ]);
  const markdown = (await sluice(dir, 'exposure --planned --format markdown', { env })).out;
  expect(markdown).toContain(
    '| **anyone**<br>before: nobody | `https://*.example.com:8443/…`<br>`https://shop.example.com/…` |',
  );
  expect(JSON.parse((await sluice(dir, 'exposure --planned --format json', { env })).out)).toMatchObject({
    exposure: [
      { public: true, who: 'anyone', before: 'nobody', route: 'HTTPSEdgeRoute/shop:/' },
      {
        public: false,
        edge: 'HTTPSEdge/shop',
        urls: expect.arrayContaining(['https://shop.example.com/admin…']) as unknown,
      },
    ],
  });
});

test('exposure compares the account before and after a saved plan, as a table and as a picture', async () => {
  const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/shop.yaml': manifest });
  expect((await sluice(dir, 'apply --auto-approve', { env })).code).toBe(0);
  const opened = manifest
    .replace(', oauth: {provider: {google: {}}}', '')
    .replace(
      '/off, backend: {backend_id: bkd_1, enabled: false}',
      '/off, backend: {backend_id: bkd_1}, oauth: {provider: {google: {}}}',
    );
  await writeFile(join(dir, 'manifests/shop.yaml'), opened);
  await sluice(dir, 'plan --out plan.json', { env });
  const { out } = await sluice(dir, 'exposure --plan plan.json', { env });
  expect(out).toMatch(/^anyone +authentication \(anyone with a Google account\) +\S+ +HTTPSEdgeRoute\/shop:\/admin$/m);
  expect(out).toMatch(/^authentication \(anyone with a Google account\) +nobody +\S+ +HTTPSEdgeRoute\/shop:\/off$/m);
  const svg = (await sluice(dir, 'exposure --plan plan.json --format svg', { env })).out;
  expect(svg).toMatch(/^<svg/);
  expect(svg).toContain('before: authentication (anyone with a Google account)');
  expect(svg).toContain('<title>Who can reach what: 6 URLs, 4 public, 4 changed</title>');
});
