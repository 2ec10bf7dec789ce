import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { loadAccount, saveAccount } from '../../src/stack/service/account-file.ts';
import { directory, ran, sluice, stackFile, type Ended } from './terminal.ts';

const env = { SLUICE_API_KEY: 'any' };
const admin = '    - {match_type: path_prefix, match: /admin, backend: {backend_id: bkd_2}';
const named = ', oauth: {provider: {google: {email_domains: [example.com]}}}';
const manifest = (route: string): string => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
    - {match_type: path_prefix, match: /, backend: {backend_id: bkd_1}}
${route}}
`;
const rules = 'rules: [{name: admin, urls: [shop.example.com/admin*], require: [named_users]}]';
const broken =
  'access rule admin is broken: GET https://shop.example.com/admin/x reaches HTTPSEdgeRoute/shop:/admin without authentication of named users';

/** A stack whose `/admin` asks for what its rule requires, as applied. */
async function applied(access = `access: {${rules}}\n`): Promise<string> {
  const dir = await directory({ 'sluice.yaml': stackFile + access, 'manifests/shop.yaml': manifest(admin + named) });
  expect(await sluice(dir, 'apply --auto-approve', { env })).toMatchObject({ code: 0 });
  return dir;
}

/** Somebody adds a route to the only edge of the account. */
async function addedByHand(dir: string, route: object): Promise<void> {
  const path = join(dir, '.sluice/emulator.json');
  const emulator = createEmulator();
  loadAccount(emulator, path);
  const headers = { authorization: 'Bearer any', 'example-version': '2', 'content-type': 'application/json' };
  const send = (method: string, at: string, body?: object) =>
    emulator.handle({ method, path: at, headers, body: body === undefined ? '' : JSON.stringify(body) });
  const listed = JSON.parse((await send('GET', '/edges/https')).body) as { https_edges: [{ id: string }] };
  const added = await send('POST', `/edges/https/${listed.https_edges[0].id}/routes`, route);
  expect(added.status).toBe(201);
  await saveAccount(emulator, path);
}

/** The same once the sign-in is removed. */
async function opened(access?: string): Promise<string> {
  const dir = await applied(access);
  await writeFile(join(dir, 'manifests/shop.yaml'), manifest(admin));
  return dir;
}

describe('a rule of sluice.yaml', () => {
  test('that holds is proved by validate and plan', async () => {
    const dir = await applied();
    const validated = await sluice(dir, 'validate', { env });
    expect([validated.code, validated.out]).toEqual([0, '3 resources are valid; access rules: 1 proved.\n']);
    const planned = await sluice(dir, 'plan', { env });
    expect([planned.code, planned.out]).toEqual([0, '  access rule admin holds\n\nNo changes. 3 resources in sync.\n']);
  });

  test('that manifests break ends validate with 3, and shows the request and the line', async () => {
    const dir = await opened();
    const { code, out, err } = await sluice(dir, 'validate', { env });
    expect([code, out]).toEqual([3, '3 resources are valid; access rules: 1 broken.\n']);
    expect(err).toContain(broken);
    expect(err).toContain('manifests/shop.yaml:8');
    const sarif = await sluice(dir, 'validate --format sarif', { env });
    expect([sarif.code, sarif.out]).toEqual([3, expect.stringContaining('"ruleId": "ACCESS_RULE_BROKEN"')]);
    const json = await sluice(dir, 'validate --format json', { env });
    expect(JSON.parse(json.out)).toMatchObject({
      valid: false,
      access_rules: [
        { name: 'admin', verdict: 'broken', findings: [{ source: { line: 8 }, missing: ['named_users'] }] },
      ],
    });
  });

  test('that a plan breaks ends plan with 3 and refuses apply, until it is allowed by name', async () => {
    const dir = await opened();
    const planned = await sluice(dir, 'plan', { env });
    expect([planned.code, planned.out]).toEqual([3, expect.stringContaining(`! ${broken}  manifests/shop.yaml:8\n`)]);
    expect(planned.out).toContain('BLOCKED POLICY: access rule admin requires --allow rule:admin');
    const json = JSON.parse((await sluice(dir, 'plan --format json', { env })).out) as object;
    expect(json).toMatchObject({ access_rules: [{ verdict: 'broken', verdict_now: 'holds', set_by: 'repository' }] });
    expect((await sluice(dir, 'plan --format markdown', { env })).out).toMatch(
      /\*\*Access rules\*\*\n\n- \*\*broken\*\*: /,
    );
    expect((await sluice(dir, 'apply --auto-approve', { env })).code).toBe(3);
    const allowed = await sluice(dir, 'plan --allow rule:admin', { env });
    expect([allowed.code, allowed.out]).toEqual([0, expect.stringContaining('(allowed by --allow rule:admin)')]);
    expect((await sluice(dir, 'apply --auto-approve --allow rule:admin', { env })).code).toBe(0);
  });

  test('that is broken already does not stop changes elsewhere', async () => {
    const dir = await opened();
    await sluice(dir, 'apply --auto-approve --allow rule:admin', { env });
    const route = '    - {match_type: path_prefix, match: /new, backend: {backend_id: bkd_3}}\n';
    await writeFile(join(dir, 'manifests/shop.yaml'), manifest(`${route}${admin}`));
    const planned = await sluice(dir, 'plan', { env });
    expect([planned.code, planned.out]).toEqual([3, expect.stringContaining('(not caused by this plan)')]);
    expect((await sluice(dir, 'apply --auto-approve', { env })).code).toBe(0);
  });

  test('that only an unmanaged route breaks ends plan with 0, and with 2 where a schedule asks', async () => {
    const dir = await applied();
    await addedByHand(dir, { match_type: 'path_prefix', match: '/admin/back', backend: { backend_id: 'bkd_9' } });
    const planned = await sluice(dir, 'plan', { env });
    expect([planned.code, planned.out]).toEqual([0, expect.stringContaining('(not caused by this plan)')]);
    expect(planned.out).toContain('No changes. 3 resources in sync.');
    for (const flags of ['', ' --drift-only'])
      expect((await sluice(dir, `plan --detailed-exitcode${flags}`, { env })).code).toBe(2);
    expect((await sluice(dir, 'plan --detailed-exitcode --allow rule:admin', { env })).code).toBe(0);
  });

  test('does not apply to a URL that is excepted until a date', async () => {
    const except = (until: string): string =>
      `access: {${rules}, exceptions: [{rule: admin, url: shop.example.com/admin*, reason: fair, until: ${until}}]}\n`;
    const dir = await opened(except('2999-01-01'));
    expect((await sluice(dir, 'validate', { env })).code).toBe(0);
    const planned = await sluice(dir, 'plan', { env });
    expect(planned.out).toContain('access rule admin holds, except for shop.example.com/admin* until 2999-01-01\n');
    await writeFile(join(dir, 'sluice.yaml'), stackFile + except('2020-01-01'));
    const { code, err } = await sluice(dir, 'validate', { env });
    expect([code, err]).toEqual([3, expect.stringContaining('for shop.example.com/admin* ended on 2020-01-01')]);
  });

  test.each(['repository', 'operator'])(
    'refuses a saved plan once the exception that it needs has ended, set by the %s',
    async (source) => {
      const except = `exceptions: [{rule: admin, url: shop.example.com/admin*, reason: fair, until: 2026-12-01}]`;
      const access = `access: {${rules}, ${except}}\n`;
      const dir = await opened(source === 'repository' ? access : '');
      const file = join(await directory({ 'operator.yaml': `version: 1\n${access}` }), 'operator.yaml');
      const variables = source === 'repository' ? env : { ...env, SLUICE_OPERATOR_POLICY: file };
      const on = (day: string) => ({ env: variables, now: () => Date.parse(`${day}T12:00:00Z`) });
      expect((await sluice(dir, 'plan --out plan.json', on('2026-12-01'))).code).toBe(0);
      const late = await sluice(dir, 'apply plan.json', on('2026-12-02'));
      expect([late.code, late.err]).toEqual([4, expect.stringContaining('blocked: approved none, now')]);
      expect((await sluice(dir, 'apply plan.json', on('2026-12-01'))).code).toBe(0);
    },
  );

  test.each([
    [
      'rules: [{name: a, urls: [x.com/], require: [signature]}, {name: a, urls: [x.com/], require: [signature]}]',
      'contains the name a twice',
    ],
    [
      `${rules}, exceptions: [{rule: b, url: x.com/, reason: r, until: 2030-01-01}]`,
      'there is no access rule with the name b',
    ],
    [`${rules}, exceptions: [{rule: amdin, url: x.com/, reason: r, until: 2030-01-01}]`, 'did you mean `admin`?'],
    ['rules: [{name: public, urls: [x.com/], require: [signature]}]', 'must not be `public`'],
    ['rules: [{name: a, urls: [x.com/], require: [oauth]}]', 'must be one of authentication, named_users'],
    [`${rules}, exceptions: [{rule: admin, url: x.com/, reason: r, until: soon}]`, 'must be a date'],
  ])('is refused with 8: {%s}', async (access, message) => {
    const dir = await directory({
      'sluice.yaml': `${stackFile}access: {${access}}\n`,
      'manifests/shop.yaml': manifest(admin),
    });
    const { code, err } = await sluice(dir, 'validate', { env });
    expect([code, err]).toEqual([8, expect.stringContaining(message)]);
  });
});

describe('the policy of the operator', () => {
  const operator = `version: 1\naccess: {${rules}}\n`;

  async function withOperator(dir: string, args: string, policy = operator): Promise<Ended> {
    const file = join(await directory({ 'policy.yaml': policy }), 'policy.yaml');
    return sluice(dir, args, { env: { ...env, SLUICE_OPERATOR_POLICY: file } });
  }

  test('stops a commit that removes access control and weakens the policy of the repository', async () => {
    const dir = await opened();
    const weak = `access: {public: ["shop.example.com/*"], rules: [], exceptions: []}\n`;
    await writeFile(join(dir, 'sluice.yaml'), stackFile + weak);
    expect((await sluice(dir, 'plan', { env })).code).toBe(0);
    const flags = '--auto-approve --allow rule:admin --allow OPENS_ACCESS --allow EXPOSES_PUBLICLY';
    const { code, out } = await withOperator(dir, `apply ${flags}`);
    expect([code, out]).toEqual([
      3,
      expect.stringContaining('access rule admin (set by the operator policy) does not allow the change'),
    ]);
    expect((await withOperator(dir, 'validate')).code).toBe(3);
  });

  test('is not touched by exceptions of the repository', async () => {
    const exception = 'exceptions: [{rule: admin, url: shop.example.com/admin*, reason: fair, until: 2999-01-01}]';
    const dir = await opened(`access: {${rules}, ${exception}}\n`);
    expect((await sluice(dir, 'validate', { env })).code).toBe(0);
    expect((await withOperator(dir, 'validate')).code).toBe(3);
  });

  test('may be named by a flag', async () => {
    const dir = await opened('');
    await writeFile(join(dir, 'operator.yaml'), operator);
    expect((await ran(dir, ['--operator-policy', 'operator.yaml', 'validate'], { env })).code).toBe(3);
  });

  test.each([
    ['access: {rules: 1}', 'version'],
    ['version: 1\nacces: {}', 'did you mean `access`?'],
    ['version: 1\naccess: {rules: 1}', '`access.rules` must be a list'],
    ['version: 2', '`version` must be 1'],
    [
      'version: 1\naccess: {rules: [{name: a, urls: [x.com/], require: [oauth]}]}',
      'must be one of authentication, named_users',
    ],
    ['version: 1\naccess: {rules: [{name: A, urls: [x.com/], require: [signature]}]}', 'must be a DNS label'],
    ['version: 1\naccess: [', ''],
  ])('that is not valid ends every command with 8: %s', async (policy, message) => {
    const { code, err } = await withOperator(await opened(''), 'plan', policy);
    expect([code, err]).toEqual([8, expect.stringContaining(message)]);
  });

  test('that cannot be read ends every command with 8', async () => {
    const dir = await opened('');
    const missing = { env: { ...env, SLUICE_OPERATOR_POLICY: join(dir, 'missing.yaml') } };
    for (const command of ['validate', 'plan', 'apply --auto-approve'])
      expect((await sluice(dir, command, missing)).code).toBe(8);
  });
});
