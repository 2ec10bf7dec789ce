import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { company, directory, sluice, stackFile } from './terminal.ts';

const patched = (operations: string): string =>
  `${stackFile}patches:\n  - target: {kind: HTTPSEdge, name: shop}\n    patch:\n${operations}`;

test('a change that a patch makes is placed at the patch, and its resource is recorded where its manifest is', async () => {
  const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/shop.yaml': company });
  expect(await sluice(dir, 'apply --auto-approve')).toMatchObject({ code: 0 });
  const source = async (): Promise<string> =>
    (
      JSON.parse(await readFile(join(dir, '.sluice/state.json'), 'utf8')) as {
        entries: Record<string, { source: string }>;
      }
    ).entries['HTTPSEdge/shop']?.source ?? '';
  const before = await source();
  expect(before).toMatch(/^manifests\/shop\.yaml:\d+$/);

  const text = patched(
    '      - {op: replace, path: /spec/hostports/0, value: "staging.example.com:443"}\n      - {op: add, path: /spec/description, value: Staging}\n',
  );
  await writeFile(join(dir, 'sluice.yaml'), text);
  const line = text.split('\n').findIndex((one) => one.includes('hostports/0')) + 1;
  const { out } = await sluice(dir, 'plan');
  expect(out).toMatch(new RegExp(`^~ HTTPSEdge/shop +sluice\\.yaml:(${line}|${line + 1}) `, 'm'));
  expect(await sluice(dir, 'apply --auto-approve')).toMatchObject({ code: 0 });
  expect(await source()).toBe(before);
});

test('a change that a patch makes in part reports which field is set where', async () => {
  const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/shop.yaml': company });
  expect(await sluice(dir, 'apply --auto-approve')).toMatchObject({ code: 0 });
  const text = patched('      - {op: add, path: /spec/description, value: Staging}\n');
  await writeFile(join(dir, 'sluice.yaml'), text);
  await writeFile(join(dir, 'manifests/shop.yaml'), company.replace('shop.example.com:443', 'store.example.com:443'));
  const line = text.split('\n').findIndex((one) => one.includes('/spec/description')) + 1;
  const { out } = await sluice(dir, 'plan');
  expect(out).toMatch(/^~ HTTPSEdge\/shop +manifests\/shop\.yaml:\d+ /m);
  expect(out).toContain(`\`description\` is set by the patch at sluice.yaml:${line}`);
});
