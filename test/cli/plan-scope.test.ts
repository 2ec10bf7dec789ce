import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { company, sluice, stack } from './terminal.ts';

describe('plan --destroy', () => {
  test('shows the deletion of everything; applied from its file, it deletes everything', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve');
    const { code, out } = await sluice(dir, 'plan --destroy --out gone.plan');
    expect(code).toBe(0);
    expect(out).toContain('3 to delete');
    expect((await sluice(dir, 'plan')).out).toContain('No changes.');
    expect((await sluice(dir, 'apply gone.plan')).code).toBe(0);
    expect((await sluice(dir, 'state list')).out).not.toContain('HTTPSEdge');
  });

  test('is refused at apply if a manifest protects a resource since', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve');
    await sluice(dir, 'plan --destroy --out gone.plan');
    await writeFile(join(dir, 'manifests/company.yaml'), company.replace('{protect: false}', '{protect: true}'));
    expect((await sluice(dir, 'apply gone.plan')).code).not.toBe(0);
    expect((await sluice(dir, 'state list')).out).toContain('ReservedAddr/mqtt');
  });

  test('cannot be limited', async () => {
    const { code, err } = await sluice(await stack(), 'plan --destroy --target HTTPSEdge/shop');
    expect([code, err]).toEqual([8, expect.stringContaining('--destroy deletes the whole stack')]);
  });
});

test('plan --drift-only shows what changed in the account, and nothing that only the manifests want', async () => {
  const dir = await stack();
  await sluice(dir, 'apply --auto-approve');
  const path = join(dir, '.sluice/emulator.json');
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll('Sensors', 'Touched'));
  await writeFile(join(dir, 'manifests/company.yaml'), company.replace('match: /,', 'match: /new,'));
  expect((await sluice(dir, 'plan')).out).toContain('2 to update');
  const { code, out } = await sluice(dir, 'plan --drift-only --detailed-exitcode');
  expect(code).toBe(2);
  expect(out).toContain('ReservedAddr/mqtt');
  expect(out).toContain('1 to update; 1 API request');
  expect(out).not.toContain('/new');
  expect((await sluice(dir, 'plan --drift-only --out x')).code).toBe(8);
});

describe('--target', () => {
  test.each([
    ['HTTPSEdge/shop', ['HTTPSEdge/shop']],
    ['edge/shop', ['HTTPSEdge/shop']],
    ['routes/shop:front', ['HTTPSEdgeRoute/shop:front']],
    ['HTTPSEdgeRoute/shop:*', ['HTTPSEdgeRoute/shop:front']],
    ['addr/*', ['ReservedAddr/mqtt']],
    ['*/shop*', ['HTTPSEdge/shop', 'HTTPSEdgeRoute/shop:front']],
  ])('%s plans %j', async (target, addresses) => {
    const { out, err } = await sluice(await stack(), `plan --format json --target edge/shop --target ${target}`);
    const { resource_changes } = JSON.parse(out) as { resource_changes: { address: string }[] };
    const planned = resource_changes.map(({ address }) => address);
    expect(planned.toSorted(), err).toEqual([...new Set(['HTTPSEdge/shop', ...addresses])].toSorted());
  });

  test('with * that matches nothing is an error, and never plans a deletion', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve');
    await writeFile(join(dir, 'manifests/company.yaml'), company.replace(/^[^]*?---\n/, ''));
    const { code, err } = await sluice(dir, 'plan --target ReservedAddr/*');
    expect([code, err]).toEqual([8, expect.stringContaining('--target: "ReservedAddr/*" matches no resource')]);
    expect((await sluice(dir, 'plan --target addr/mqtt')).out).toContain('- ReservedAddr/mqtt');
  });
});

test.each([
  'state show edge/shop',
  'get edge/shop',
  'get edges shop',
  'output edge/shop',
  'explain edge/shop',
  'state forget edge/shop',
])('%s names the edge by a short name of its kind', async (command) => {
  const dir = await stack();
  await sluice(dir, 'apply --auto-approve');
  const { code, out, err } = await sluice(dir, command);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/shop|HTTPSEdge/);
});
