import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { company, directory, sluice, stack } from './terminal.ts';

describe('with --format json, standard output is one document', () => {
  test('for validate, plan, apply, get and destroy', async () => {
    const dir = await stack();
    expect(await documentOf(dir, 'validate')).toMatchObject({ valid: true, diagnostics: [] });
    expect(await documentOf(dir, 'plan')).toMatchObject({
      format_version: '1.0',
      complete: true,
      summary: { create: 3, requests: 3 },
    });
    expect(await documentOf(dir, 'apply --auto-approve')).toMatchObject({
      plan: { summary: { create: 3 } },
      outcome: { requests: 3, interrupted: false },
    });
    expect(await documentOf(dir, 'get reserved-addr mqtt')).toMatchObject({
      resources: [{ kind: 'ReservedAddr', address: 'ReservedAddr/mqtt', stack: 'company', spec: { region: 'eu' } }],
    });
    expect(await documentOf(dir, 'destroy --auto-approve')).toMatchObject({ plan: { summary: { delete: 3 } } });
  });

  test('for what is refused: the plan with what blocks it, and no outcome', async () => {
    const dir = await stack(company.replace('lifecycle: {protect: false}\n', ''));
    await sluice(dir, 'apply --auto-approve');
    expect(await documentOf(dir, 'destroy --auto-approve')).toMatchObject({
      plan: { summary: { blocked: 1 } },
      outcome: null,
    });
  });

  test('for errors: a code, a message, and every diagnostic with its place', async () => {
    const lost = await documentOf(await directory(), 'plan');
    expect(lost).toMatchObject({ error: { code: 'USAGE', hint: expect.stringContaining('sluice init') as string } });

    expect(await documentOf(await directory(), 'plna')).toMatchObject({ error: { code: 'USAGE' } });

    const dir = await stack();
    await writeFile(join(dir, 'manifests/company.yaml'), company.replace('region', 'regoin'));
    expect(await documentOf(dir, 'validate')).toMatchObject({
      error: { code: 'INVALID_INPUT' },
      diagnostics: [{ code: 'UNKNOWN_FIELD', source: { file: 'manifests/company.yaml', line: 5 } }],
    });
  });

  test('for what fails after the plan was printed: that plan, and the error beside it', async () => {
    const dir = await stack();
    for (const [args, code, says] of [
      [`plan --check sha256:${'0'.repeat(64)}`, 4, 'not the approved'],
      ['plan --gitlab-report nowhere/r.json', 8, 'cannot be written'],
    ] as const)
      for (const format of ['json', 'yaml']) {
        const ended = await sluice(dir, `--format ${format} ${args}`);
        expect([args, ended.code, ended.err]).toEqual([args, code, expect.stringContaining(says)]);
        expect(parse(ended.out)).toMatchObject({ format_version: '1.0', summary: { create: 3 } });
      }
  });

  test('with -o json as well, also for an error; -o and --format contradict each other', async () => {
    const dir = await stack();
    for (const [args, code] of [
      ['get reserved-addr nobody -o json', 1],
      ['state show ReservedAddr/nobody -o json', 8],
      ['get edge --nonsense -o json', 8],
      ['state list -ojson two', 8],
    ] as const) {
      const ended = await sluice(dir, args);
      expect([args, ended.code, JSON.parse(ended.out)]).toEqual([
        args,
        code,
        expect.objectContaining({ error: expect.any(Object) as object }),
      ]);
    }
    for (const args of ['get edge -o json --format yaml', 'state list -o table --format json'])
      expect([args, (await sluice(dir, args)).code]).toEqual([args, 8]);
  });

  test('for schema, with or without the flag', async () => {
    const dir = await directory();
    expect(await documentOf(dir, 'schema https-edge')).toMatchObject({ title: 'A manifest of kind HTTPSEdge' });
    expect(JSON.parse((await sluice(dir, 'schema ModuleSet')).out)).toMatchObject({
      title: 'A manifest of kind ModuleSet',
    });
  });

  async function documentOf(dir: string, args: string): Promise<unknown> {
    const { out } = await sluice(dir, `--format json ${args}`);
    return JSON.parse(out) as unknown;
  }
});

describe('get', () => {
  test('tells ours from others, and masks secrets', async () => {
    const secretly = company.replace(
      'backend: {backend_id: bkd_1}',
      'backend: {backend_id: bkd_1}, oidc: {issuer: "https://login.example.com", client_id: a, client_secret: {from_env: OIDC}}',
    );
    const dir = await stack(secretly);
    const env = { OIDC: 'canary-4711' };
    expect((await sluice(dir, 'apply --auto-approve', { env })).code).toBe(0);

    const table = await sluice(dir, 'get https-edge');
    expect(table.out).toMatch(
      /^NAME +STACK +ID +HOSTPORTS +DESCRIPTION\nshop +company +edghts_\w+ +shop\.example\.com:443 +-\n$/,
    );
    const yaml = await sluice(dir, 'get https-edge-route shop:front -o yaml');
    expect(yaml.out).toContain('client_secret:\n      sensitive: true');
    for (const args of [
      'get https-edge-route',
      'get https-edge-route -o json',
      'plan',
      '--format json plan --requests',
    ])
      expect(JSON.stringify(await sluice(dir, args, { env }))).not.toContain('canary-4711');
  });

  test('finds one by its id, and reports when there is none', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve');
    const [id = ''] = /ra_\w+/.exec((await sluice(dir, 'get reserved-addr')).out) ?? [];
    expect((await sluice(dir, `get reserved-addr ${id}`)).out).toContain('mqtt');
    expect(await sluice(dir, 'get reserved-addr nothing')).toMatchObject({ code: 1, out: '' });
  });
});
