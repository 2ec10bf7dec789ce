import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sluice, stack } from './terminal.ts';

const shop = (description: string, ...matches: readonly string[]): string =>
  `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: ['*.example.com:443']
  routes:
${matches.map((match) => `    - {match_type: path_prefix, match: '${match}', description: ${description}, backend: {backend_id: b_1}}\n`).join('')}`;

const wild = '*.example.com/x';
const [pattern, one] = [`HTTPSEdgeRoute/shop:${wild}`, 'HTTPSEdgeRoute/shop:a.example.com/x'];

async function applied() {
  const dir = await stack(shop('Old', wild, 'a.example.com/x'));
  expect(await sluice(dir, 'apply --auto-approve')).toMatchObject({ code: 0 });
  return { dir, write: (text: string) => writeFile(join(dir, 'manifests/company.yaml'), text) };
}

describe('a target that contains * and is an address', () => {
  test('means the resource of the manifests that has it', async () => {
    const { dir, write } = await applied();
    await write(shop('New', wild, 'a.example.com/x'));
    const { out } = await sluice(dir, `plan --target ${pattern}`);
    expect(out).toContain(`~ ${pattern}`);
    expect(out).not.toContain(one);
    expect((await sluice(dir, 'plan --target HTTPSEdgeRoute/shop:*x')).out).toContain('2 to update');
    const rendered = await sluice(dir, `render --target ${pattern}`);
    expect(rendered.out).toContain(wild);
    expect(rendered.out).not.toContain('a.example.com/x');
  });

  test('means the resource of the state that no manifest has any more', async () => {
    const { dir, write } = await applied();
    await write(shop('Old', 'a.example.com/x'));
    const { code, out } = await sluice(dir, `apply --auto-approve --target ${pattern}`);
    expect([code, out]).toEqual([0, expect.stringContaining(`- ${pattern}`)]);
    expect((await sluice(dir, 'plan')).out).toContain('No changes.');
    // Then it is a pattern again.
    expect((await sluice(dir, `plan --target ${pattern}`)).out).toContain('No changes. 1 resource in sync.');
  });

  test('is refused where only the account has it', async () => {
    const { dir, write } = await applied();
    await write(shop('New', 'a.example.com/x'));
    await rm(join(dir, '.sluice/state.json'));
    const { code, err } = await sluice(dir, `apply --auto-approve --target ${pattern}`);
    expect(code).toBe(8);
    expect(err).toContain(`"${pattern}" is a pattern, and also the address of a resource that is not in the state`);
    expect(await sluice(dir, 'state rebuild')).toMatchObject({ code: 0 });
    expect((await sluice(dir, `plan --target ${pattern}`)).out).toContain('1 to delete');
  });
});

test('import of an address that contains * takes that one, and not another that it matches', async () => {
  const { dir, write } = await applied();
  expect((await sluice(dir, `import ${pattern} --auto-approve`)).err).toContain(
    `${pattern} already manages the resource edghtsrt_`,
  );
  await write(shop('Old', 'a.example.com/x'));
  const { code, err } = await sluice(dir, `import ${pattern} edghtsrt_1`);
  expect([code, err]).toEqual([8, expect.stringContaining(`the manifests do not define "${pattern}"`)]);
});
