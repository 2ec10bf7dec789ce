import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { notBuilt, startProgram } from '../support/processes.ts';
import { directory, stackFile } from './terminal.ts';

const lines = 60_000;
const longName = 'x'.repeat(400);
const manifest = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
    - {match_type: path_prefix, match: /, backend: {backend_id: bkd_1}}
`;

test.skipIf(notBuilt !== '')(`trace --log keeps nothing of a log of 60,000 long URLs${notBuilt}`, async () => {
  const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/shop.yaml': manifest });
  const log = Array.from({ length: lines }, (_, n) => `{"path": "/orders/${String(n)}/${longName}"}\n`);
  await writeFile(join(dir, 'access.log'), log.join(''));
  const args = ['trace', '--log', 'access.log', '--host', 'shop.example.com', '--format', 'json'];
  const env = { SLUICE_API_KEY: 'any', NODE_OPTIONS: '--max-old-space-size=64' };
  const { code, out, err } = await startProgram(dir, args, env).ended;
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({ requests: lines, changed: lines, unlisted: lines - 1_000 });
});
