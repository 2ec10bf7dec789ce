import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { company, sluice, stack, type Ended } from './terminal.ts';

const secretly = `${company}    - {name: hooks, match_type: path_prefix, match: /hooks, backend: {backend_id: bkd_1}, webhook_verification: {provider: github, secret: {from_env: HOOK_SECRET}}}
`;
const env = { SLUICE_API_KEY: 'k3y-of-the-company', HOOK_SECRET: 'canary-of-the-hook' };

/** A stack whose plan has been saved, and the digest that was told. */
async function saved(manifests = company): Promise<{ dir: string; digest: string; planned: Ended }> {
  const dir = await stack(manifests);
  const planned = await sluice(dir, 'plan --out approved.plan', { env });
  expect(planned.code).toBe(0);
  return { dir, digest: /sha256:[0-9a-f]{64}/.exec(planned.err)?.[0] ?? '', planned };
}

describe('a saved plan', () => {
  test('is carried out without being asked about, and leaves nothing to do', async () => {
    const { dir, digest } = await saved();
    expect((await sluice(dir, `apply approved.plan --digest ${digest}`, { env })).code).toBe(0);
    expect((await sluice(dir, 'plan --detailed-exitcode', { env })).code).toBe(0);
  });

  test('shows as it was made, also when the manifests are gone', async () => {
    const { dir, digest, planned } = await saved();
    await rm(join(dir, 'manifests'), { recursive: true });
    const shown = await sluice(dir, 'show approved.plan', { env });
    expect(shown.out.startsWith(planned.out.trimEnd())).toBe(true);
    expect(shown.out).toContain(digest);
    expect(JSON.parse((await sluice(dir, 'show approved.plan --format json', { env })).out)).toMatchObject({ digest });
  });

  test('is carried out when the manifests are gone', async () => {
    const { dir } = await saved(secretly);
    await rm(join(dir, 'manifests'), { recursive: true });
    expect((await sluice(dir, 'apply approved.plan', { env })).code).toBe(0);
  });

  test('is its owner’s alone and holds no secret', async () => {
    const { dir } = await saved(secretly);
    expect((await stat(join(dir, 'approved.plan'))).mode & 0o777).toBe(0o600);
    const text = await readFile(join(dir, 'approved.plan'), 'utf8');
    for (const secret of Object.values(env)) expect(text).not.toContain(secret);
  });
});

describe('a saved plan is refused', () => {
  test('with exit 4 and what differs, when it would be another plan now', async () => {
    const { dir } = await saved();
    await sluice(dir, 'apply --auto-approve', { env });
    const late = await sluice(dir, 'apply approved.plan', { env });
    expect(late.code).toBe(4);
    expect(late.err).toContain('HTTPSEdge/shop: was planned, and there is nothing to do any more\n');
  });

  test('with exit 4 when a secret is another one by now', async () => {
    const { dir } = await saved(secretly);
    const late = await sluice(dir, 'apply approved.plan', { env: { ...env, HOOK_SECRET: 'another-canary' } });
    expect(late.code).toBe(4);
    expect(late.err).toContain('HTTPSEdgeRoute/shop:hooks');
  });

  test('when a secret is gone', async () => {
    const { dir } = await saved(secretly);
    const late = await sluice(dir, 'apply approved.plan', { env: { SLUICE_API_KEY: env.SLUICE_API_KEY } });
    expect(late.code).toBe(8);
    expect(late.err).toContain('HOOK_SECRET');
  });

  test('when a secret stood in a manifest', async () => {
    const { dir } = await saved(secretly.replace('{from_env: HOOK_SECRET}', 'written-out-here'));
    const late = await sluice(dir, 'apply approved.plan', { env });
    expect(late.code).toBe(8);
    expect(late.err).toContain('HTTPSEdgeRoute/shop:hooks');
    expect(late.err).not.toContain('written-out-here');
  });

  test('when it is damaged', async () => {
    const { dir } = await saved();
    const path = join(dir, 'approved.plan');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"region":"eu"', '"region":"us"'));
    const late = await sluice(dir, 'apply approved.plan', { env });
    expect(late.code).toBe(8);
    expect(late.err).toContain('checksum');
  });

  test('when it is not the one that was approved', async () => {
    const { dir } = await saved();
    const late = await sluice(dir, `apply approved.plan --digest sha256:${'0'.repeat(64)}`, { env });
    expect(late.code).toBe(8);
    expect(late.err).toContain('not the approved');
  });

  test('in another stack', async () => {
    const { dir } = await saved();
    const file = join(dir, 'sluice.yaml');
    await writeFile(file, (await readFile(file, 'utf8')).replace('5c1e7a90', '00000000'));
    expect((await sluice(dir, 'apply approved.plan', { env })).code).toBe(8);
  });
});

/** Edits of the manifests between plan and apply do not matter: what was approved is in the file. */
test('what the manifests say later does not matter', async () => {
  const { dir } = await saved();
  await writeFile(join(dir, 'manifests/company.yaml'), company.replace('Sensors', 'Other'));
  expect((await sluice(dir, 'apply approved.plan', { env })).code).toBe(0);
  const rest = await sluice(dir, 'plan --detailed-exitcode', { env });
  expect(rest.code).toBe(2);
});
