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

const addressDocument = (name: string, description: string, from = ''): string =>
  `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${name}, labels: {only: ${name}}}\nlifecycle: {protect: false${from}}\nspec: {region: eu, description: ${description}}\n`;

describe('a targeted plan of manifests that move resources', () => {
  const write = (dir: string, ...documents: string[]) =>
    writeFile(join(dir, 'manifests/company.yaml'), documents.join('---\n'));
  const renamed = company
    .replace(
      '{name: shop, labels: {team: web}}',
      '{name: market, labels: {team: web}}\nlifecycle: {moved_from: HTTPSEdge/shop}',
    )
    .replaceAll('name: shop', 'name: market');

  test.each([
    [
      'edge/shop',
      '--target: "HTTPSEdge/shop" is the former address of HTTPSEdge/market',
      'pass the new address instead: HTTPSEdge/market',
    ],
    [
      'route/shop:front',
      '--target: "HTTPSEdgeRoute/shop:front" is the former address of HTTPSEdgeRoute/market:front',
      'pass the new addresses instead: HTTPSEdge/market, HTTPSEdgeRoute/market:front',
    ],
  ])('refuses %s, which moves, and names the new address', async (target, message, hint) => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve');
    await write(dir, renamed);
    const { code, out, err } = await sluice(dir, `apply --auto-approve --target ${target}`);
    expect([code, out]).toEqual([8, '']);
    expect(err).toContain(message);
    expect(err).toContain(hint);
    const moved = await sluice(dir, 'apply --auto-approve --target edge/market --target route/market:front');
    expect(moved.out).toContain('Applied: 2 updated');
    const over = await sluice(dir, `plan --target ${target}`);
    expect([over.code, over.err]).toEqual([8, expect.stringContaining('in neither the manifests nor the account')]);
  });

  test('refuses the former name of a route that keeps its match, and deletes a route that no manifest has', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve');
    await write(dir, company.replace('name: front', 'name: start'));
    const { code, err } = await sluice(dir, 'plan --target route/shop:front');
    expect([code, err]).toEqual([
      8,
      expect.stringContaining('"HTTPSEdgeRoute/shop:front" is the former address of HTTPSEdgeRoute/shop:start'),
    ]);
    await write(dir, renamed.replace(/ {2}routes:\n.*\n/, ''));
    expect((await sluice(dir, 'plan --target route/shop:front')).out).toContain('1 to delete');
  });

  const [a, b] = [addressDocument('a', 'A'), addressDocument('b', 'B')];
  const chain = [
    addressDocument('b', 'A', ', moved_from: ReservedAddr/a'),
    addressDocument('c', 'B', ', moved_from: ReservedAddr/b'),
  ];

  test.each(['--target addr/b', '-l only=b'])('refuses a part of a chain: %s', async (part) => {
    const dir = await stack([a, b].join('---\n'));
    await sluice(dir, 'apply --auto-approve');
    await write(dir, ...chain);
    const { code, out, err } = await sluice(dir, `apply --auto-approve ${part}`);
    expect([code, out]).toEqual([8, '']);
    expect(err).toContain('ReservedAddr/b cannot be planned without ReservedAddr/c');
    expect(err).toContain('include ReservedAddr/c in the plan, or plan the whole stack');
    // From its end, the chain can be applied one by one.
    for (const target of ['addr/c', 'addr/b', 'addr/b'])
      expect(await sluice(dir, `apply --auto-approve --target ${target}`)).toMatchObject({ code: 0 });
    expect((await sluice(dir, 'plan')).out).toContain('No changes.');
  });

  test('does not take a resource from an address that keeps it', async () => {
    const dir = await stack([a, b].join('---\n'));
    await sluice(dir, 'apply --auto-approve');
    await write(dir, a, b, addressDocument('c', 'C', ', moved_from: ReservedAddr/b'));
    const { code, err } = await sluice(dir, 'apply --auto-approve --target addr/c');
    expect([code, err]).toEqual([
      8,
      expect.stringContaining('ReservedAddr/c cannot be planned without ReservedAddr/b'),
    ]);
    expect((await sluice(dir, 'plan --target addr/c --target addr/b')).out).toContain('+ ReservedAddr/c');
  });

  test('asks for the edge with which a route moves', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve');
    await write(dir, renamed);
    const { code, err } = await sluice(dir, 'plan --target route/market:front');
    expect([code, err]).toEqual([
      8,
      expect.stringContaining('HTTPSEdgeRoute/market:front cannot be planned without HTTPSEdge/market'),
    ]);
  });

  test.each([
    ['while the manifest has moved_from', renamed],
    ['also without moved_from', renamed.replace('lifecycle: {moved_from: HTTPSEdge/shop}\n', '')],
  ])('that only the edge was renamed with, a route follows it later, whatever its match: %s', async (_, later) => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve');
    await write(dir, renamed.replace('match: /,', 'match: /new,'));
    expect((await sluice(dir, 'apply --target edge/market --auto-approve')).code).toBe(0);
    await write(dir, later.replace('match: /,', 'match: /new,'));
    const { code, out } = await sluice(dir, 'apply --auto-approve');
    expect([code, out]).toEqual([0, expect.stringMatching(/~ HTTPSEdgeRoute\/market:front [^]*Applied: 1 updated;/)]);
    expect((await sluice(dir, 'plan --detailed-exitcode')).code).toBe(0);
  });
});

test.each(['validate', 'render', 'plan -f manifests/company.yaml'])(
  '%s refuses a target that the manifests do not have, where the account is not asked for it',
  async (command) => {
    const { code, out, err } = await sluice(await stack(), `${command} --target HTTPSEdge/shp`);
    expect([code, out]).toEqual([8, '']);
    expect(err).toContain('--target: "HTTPSEdge/shp" is not in the manifests');
    expect(err).toContain('did you mean HTTPSEdge/shop?');
  },
);
