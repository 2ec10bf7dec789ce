import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { directory, ran, sluice, stackFile, type Ended } from './terminal.ts';

const shop = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  description: {template: "The shop of \${var.stage}, at a price of $\${5}"}
  hostports: {var: hostports}
  routes:
    - match_type: path_prefix
      match: /
      backend: {backend_id: {ref: app}, enabled: {var: open}}
      oidc: {issuer: {template: "https://id.\${var.domain}/"}, client_id: shop, client_secret: {var: client_secret}}
---
apiVersion: sluice/v1
kind: External
metadata: {name: app}
spec: {type: backend, id: {var: backend}}
`;

const vars = `vars:
  stage: {type: string, description: Name of the environment}
  domain: example.com
  hostports: {type: list, default: ["shop.example.com:443"]}
  open: true
  backend: {template: "bkdhr_\${var.stage}"}
  client_secret: {from_env: CLIENT_SECRET}
`;

const env = { SLUICE_API_KEY: 'key-of-the-shop', CLIENT_SECRET: 'canary-in-a-variable' };

function stackOf(manifest = shop, settings = vars): Promise<string> {
  return directory({ 'sluice.yaml': `${stackFile}${settings}`, 'manifests/shop.yaml': manifest });
}

async function rendered(args: string, more: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return sluice(await stackOf(), `render${args}`, { env: { ...env, ...more } });
}

describe('variables of sluice.yaml', () => {
  test('take no number that would lose digits', async () => {
    const dir = await stackOf(shop, `${vars}  build: 1\n  builds: [1]\n`);
    for (const number of ['12345678901234567891', '1e999', '-9007199254740993']) {
      const { code, err } = await sluice(dir, `validate --var stage=x --var build=${number}`, { env });
      expect([code, err]).toEqual([8, expect.stringContaining('--var build must be a number')]);
      const all = await sluice(dir, `validate --var stage=x --var builds=[${number}]`, { env });
      expect([all.code, all.err]).toEqual([8, expect.stringContaining('--var builds must be a list')]);
    }
  });

  test('replace whole values and parts of templates, and nothing in plain text', async () => {
    const { code, out } = await rendered(' --var stage=production');
    expect([code, out]).toEqual([
      0,
      `# Source: manifests/shop.yaml:1
apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  description: "The shop of production, at a price of \${5}"
  hostports: [shop.example.com:443]
---
# Source: manifests/shop.yaml:8
apiVersion: sluice/v1
kind: HTTPSEdgeRoute
metadata: {}
spec:
  edge_id: {ref: shop}
  match_type: path_prefix
  match: /
  backend:
    backend_id: bkdhr_production
    enabled: true
  oidc:
    issuer: "https://id.example.com/"
    client_id: shop
    client_secret: {from_env: CLIENT_SECRET}
`,
    ]);
    const plain = shop.replace('{template: "The shop of ${var.stage}, at a price of $${5}"}', '"${var.stage}"');
    const literal = await sluice(await stackOf(plain), 'render --var stage=a', { env });
    expect(literal.out).toContain('description: "${var.stage}"');
    expect(literal.err).toMatch(/warning\[REFERENCE_IN_TEXT\] [^]*hint: write \{template: TEXT\}/);
  });

  test('are set by a flag before the environment, and by the environment before sluice.yaml', async () => {
    const set = { SLUICE_VAR_STAGE: 'test', SLUICE_VAR_OPEN: 'false', SLUICE_VAR_DOMAIN: '' };
    const { out } = await rendered('', set);
    expect(out).toContain('The shop of test');
    expect(out).toContain('enabled: false');
    expect(out).toContain('issuer: "https://id.example.com/"');
    expect((await rendered(' --var stage=prod --var hostports=["a.example.com:443"]', set)).out).toMatch(
      /The shop of prod[^]*hostports: \[a\.example\.com:443\]/,
    );
  });

  test('that come from the environment stay masked, and go into no plan file', async () => {
    const dir = await stackOf();
    const planned = await sluice(dir, 'plan --var stage=production --out a.plan', { env });
    expect(planned.code).toBe(0);
    expect(planned.out + planned.err + (await readFile(join(dir, 'a.plan'), 'utf8'))).not.toContain('canary');
    expect((await sluice(dir, 'apply a.plan', { env })).code).toBe(0);
    expect((await sluice(dir, 'plan --detailed-exitcode --var stage=production', { env })).code).toBe(0);
    expect((await sluice(dir, 'plan --detailed-exitcode --var stage=other', { env })).code).toBe(2);
  });

  test('name files from the directory of sluice.yaml', async () => {
    const dir = await stackOf(
      shop.replace('{template: "The shop of ${var.stage}, at a price of $${5}"}', '{var: about}'),
      `${vars}  about: {from_file: about.txt}\n`,
    );
    await writeFile(join(dir, 'about.txt'), 'canary\n');
    const { code, out } = await sluice(dir, 'plan --var stage=a', { env });
    expect([code, out]).toEqual([0, expect.stringContaining('description: (from file about.txt)')]);
  });

  test.each([
    ['an undeclared one', '{var: domian}', 'UNKNOWN_VARIABLE', 'did you mean `domain`?'],
    ['an undeclared one in a template', '{template: "${var.domian}"}', 'UNKNOWN_VARIABLE', 'did you mean `domain`?'],
    ['one without a value', '{var: stage}', 'VARIABLE_NOT_SET', '--var stage=VALUE`, or in SLUICE_VAR_STAGE'],
    ['a list in a text', '{template: "${var.hostports}"}', 'INVALID_TEMPLATE', '{var: hostports}'],
    ['a secret in a text', '{template: "${var.client_secret}"}', 'INVALID_TEMPLATE', '{var: client_secret}'],
    ['an open brace', '{template: "https://${var.domain/"}', 'INVALID_TEMPLATE', '`$${` for the text'],
    ['something else in braces', '{template: "${env.HOME}"}', 'INVALID_TEMPLATE', 'write `${var.NAME}`'],
    ['a value of another type', '{var: open}', 'INVALID_TYPE', ''],
    ['a mapping with more', '{var: domain, else: a}', 'INVALID_VALUE_SOURCE', ''],
  ])('%s is an error at its place', async (_what, written, code, hint) => {
    const dir = await stackOf(
      shop
        .replace(/description: .*/, `description: ${written}`)
        .replace(/\{template: "https[^}]*\}\/"\}/, 'https://id.example.com'),
      vars.replace('bkdhr_${var.stage}', 'bkdhr_1'),
    );
    const { code: exit, err } = await sluice(dir, 'plan', { env });
    expect([exit, err]).toEqual([8, expect.stringContaining(`error[${code}] manifests/shop.yaml:5:3: `)]);
    expect(err).toContain('`HTTPSEdge.spec.description`');
    expect(err).toContain(hint);
  });

  test.each([
    ['kind: HTTPSEdge', 'kind: {var: domain}', '2:1: `kind`'],
    ['{name: shop}', '{name: {var: domain}}', '3:12: `metadata.name`'],
    ['{name: shop}', '{name: shop, labels: {team: {template: x}}}', '3:33: `metadata.labels.team`'],
    ['spec:\n', 'lifecycle: {protect: {var: open}}\nspec:\n', '4:13: `lifecycle.protect`'],
    ['- match_type', '- name: {var: domain}\n      match_type', '8:7: `spec.routes[0].name`'],
    ['type: backend', 'type: {var: domain}', '16:8: `spec.type`'],
  ])('cannot say what a manifest is about or how it is managed: %s', async (text, written, place) => {
    const { code, err } = await sluice(await stackOf(shop.replace(text, written)), 'validate --var stage=a', { env });
    expect([code, err]).toEqual([
      8,
      expect.stringContaining(
        `error[VARIABLE_NOT_ALLOWED] manifests/shop.yaml:${place} cannot be a variable or a template`,
      ),
    ]);
  });

  test.each([
    ['  stage: {type: strng}\n', '', 'INVALID_SETTING', 'did you mean `string`?'],
    ['  open: {type: boolean, default: 3}\n', '', 'INVALID_VARIABLE', '`vars.open` must be a boolean'],
    ['  Stage: a\n', '', 'INVALID_SETTING', 'lower-case letters'],
    ['  a: {template: "${var.b}"}\n  b: {template: "${var.a}"}\n', '', 'VARIABLE_CYCLE', 'a -> b -> a'],
    ['  a: {template: "${var.b}"}\n', '', 'UNKNOWN_VARIABLE', '`vars.a`: the variable `b` is not declared'],
    ['  open: true\n', '--var opne=false', 'UNKNOWN_VARIABLE', 'did you mean `open`?'],
    ['  open: true\n', '--var open=maybe', 'INVALID_VARIABLE', '--var open must be a boolean'],
    ['  hosts: [a]\n', '--var hosts=a,b', 'INVALID_VARIABLE', 'write a list such as ["a", "b"]'],
    ['  a: {template: "key-of-${var.b}"}\n', '--var b=the-shop', 'UNKNOWN_VARIABLE', '--var'],
    ['  a: {template: "key-of-${var.b}"}\n  b: x\n', '--var b=the-shop', 'CREDENTIAL_AS_VALUE', '`vars.a`'],
  ])('of sluice.yaml are checked: %s %s', async (settings, flags, code, message) => {
    const dir = await stackOf('', `vars:\n${settings}`);
    const { code: exit, err } = await ran(dir, ['validate', ...(flags === '' ? [] : flags.split(' '))], { env });
    expect([exit, err]).toEqual([8, expect.stringContaining(`error[${code}]`)]);
    expect(err).toContain(message);
    expect(err).not.toContain('the-shop\n');
  });

  test('set by a flag without a value are a wrong command line', async () => {
    expect(await sluice(await stackOf(), 'plan --var stage', { env })).toMatchObject({
      code: 8,
      err: expect.stringContaining('the value must be NAME=VALUE') as string,
    });
  });
});
