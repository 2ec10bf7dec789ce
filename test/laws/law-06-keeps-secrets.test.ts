/*
 * Law 6, Keeps secrets: no secret value in any output, plan, state, log, error, metric or page. Canaries are planted in
 * every secret field of every kind, in variables, in the API key, under misspelt keys, in values of the wrong type and beside syntax
 * errors; then every command runs, in peace and with a service that throws everything it was sent back at us. One file
 * is excepted: the emulator's own account data, which here is in memory.
 *
 * Broken on purpose in a copy, and found here: the client quoting answers unmasked (api/read-answer.ts); digests in state that hold the text in base64.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { kinds } from '../../src/kinds/index.ts';
import { directory, ran, sluice, type Ended } from '../cli/terminal.ts';
import { harness, printed } from '../support/harness.ts';
import { loadText } from '../support/load-text.ts';
import { Canaries, secretPaths } from '../support/canaries.ts';

const stackFile = `version: 1
stack: {name: prod, id: 7f3a9c21}
manifests: [manifests]
api: {base_url: "http://127.0.0.1:1", vendor: example}
`;

/** A stack whose secrets are canaries: written out, from the environment, or from a file, in turns, and some by variables if it has any. */
interface Planted {
  readonly canaries: Canaries;
  /** Of `sluice.yaml`. */
  readonly vars: Record<string, object>;
  /** Variables that the command line sets. */
  readonly flags: readonly string[];
  readonly manifests: string;
  readonly env: Record<string, string>;
  readonly files: Record<string, string>;
  /** How many secret fields there are. */
  readonly paths: number;
}

function planted(canaries: Canaries, key: string, hasVariables = false): Planted {
  const env: Record<string, string> = { SLUICE_API_KEY: key, SLUICE_LOG: 'debug' };
  const files: Record<string, string> = {};
  const vars: Record<string, object> = {};
  const flags: string[] = [];
  const routes = secretPaths(kinds).map(([, ...path], n) => {
    const secret = canaries.plant(path.join('/'));
    env[`SECRET_${n}`] = secret;
    files[`secrets/${n}`] = secret;
    const declared = [
      { from_env: `SECRET_${n}` },
      { from_file: `secrets/${n}` },
      { type: 'string' },
      { type: 'string' },
    ];
    const way = n % (hasVariables ? 3 + declared.length : 3);
    const value =
      [secret, { from_env: `SECRET_${n}` }, { from_file: `../secrets/${n}` }][way] ?? ({ var: `secret_${n}` } as const);
    const variable = declared[way - 3];
    if (variable !== undefined) vars[`secret_${n}`] = variable;
    if (way === 5) env[`SLUICE_VAR_SECRET_${n}`] = secret;
    if (way === 6) flags.push('--var', `secret_${n}=${secret}`);
    return { match_type: 'path_prefix', match: `/${n}`, backend: { backend_id: 'bkd_1' }, ...holding(path, value) };
  });
  const edge = { hostports: ['shop.example.com:443'], routes };
  const manifests = stringify({ apiVersion: 'sluice/v1', kind: 'HTTPSEdge', metadata: { name: 'shop' }, spec: edge });
  return { canaries, vars, flags, manifests, env, files, paths: routes.length };
}

/** A module with what it needs beside the secret. */
function holding([module = '', ...path]: readonly string[], value: unknown): Record<string, unknown> {
  if (module === 'oidc') return { oidc: { issuer: 'https://id.example.com', client_id: 'app', client_secret: value } };
  if (module === 'webhook_verification') return { webhook_verification: { provider: 'github', secret: value } };
  return { [module]: { [path[0] ?? '']: { [path[1] ?? '']: { client_id: 'app', [path[2] ?? '']: value } } } };
}

describe.each(['clear', 'masked', 'empty'] as const)('law 6, with a service that shows secrets %s', (secrets) => {
  test('no command lets a secret out, nor does a file it leaves behind', async () => {
    const canaries = new Canaries();
    const key = canaries.plantKey('API key');
    const emulator = createEmulator({ apiKey: key, secrets, seed: 1 });
    const first = planted(canaries, key, true);
    const second = planted(canaries, key, true);
    expect([first.flags.length > 0, Object.keys(first.vars).length > 3]).toEqual([true, true]);
    const withVars = `${stackFile}${stringify({ vars: first.vars })}`;
    const dir = await directory({ 'sluice.yaml': withVars, 'manifests/shop.yaml': first.manifests, ...first.files });
    const world = await served(emulator, first.env);
    const ended: Ended[] = [];
    const run = async (args: string, { flags, env }: Planted): Promise<void> => {
      ended.push(await ran(dir, [...args.split(' '), ...flags], { env: { ...world, ...env } }));
    };
    for (const args of [
      'validate',
      'plan',
      'plan --requests',
      'plan --format json --requests',
      'apply --auto-approve --format json --allow OPENS_ACCESS',
      'plan --detailed-exitcode',
      'get HTTPSEdge',
      'get HTTPSEdge shop',
      'get HTTPSEdgeRoute',
      'get HTTPSEdge shop --format json',
      'snapshot --out snapshot.json',
      'plan --snapshot snapshot.json --requests',
      'plan --snapshot snapshot.json --format json --requests --out snapshot.plan',
      'show snapshot.plan --format markdown',
      'render --format json',
    ])
      await run(args, first);
    // Every secret changes: what is compared, printed and remembered now are two values for each.
    for (const [name, text] of Object.entries({ 'manifests/shop.yaml': second.manifests, ...second.files }))
      writeFileSync(join(dir, name), text);
    for (const args of [
      'plan --requests',
      'plan --format json',
      'plan --snapshot snapshot.json --requests',
      'apply --auto-approve',
      'snapshot --out later.json',
      'destroy --auto-approve',
    ])
      await run(args, second);
    // What fails at once keeps every secret: these did what they were asked.
    expect(ended.map(({ code, err }) => (code === 0 ? 'done' : `${code} ${err}`))).toEqual(ended.map(() => 'done'));
    expect(emulator.snapshot().resources).toEqual([]);
    expect(emulator.log.filter(({ body }) => canaries.in(body ?? '').length > 0).length).toBeGreaterThan(first.paths);
    mustHaveKept(canaries, ended, dir);
  });
});

describe('law 6, when things go wrong', () => {
  test.each([400, 500, 503])(
    'a service that answers %i with all it was sent is quoted without secrets',
    async (status) => {
      const canaries = new Canaries();
      const key = canaries.plantKey('API key');
      const walk = harness({ key });
      walk.emulator.intercept(({ method, path, body, headers }, next) =>
        method === 'POST' && path.endsWith('/routes')
          ? {
              status,
              headers: { 'content-type': status === 503 ? 'text/html' : 'application/json' },
              body: JSON.stringify({
                status_code: status,
                msg: `${headers['authorization'] ?? ''} sent ${body}`,
                details: {},
              }),
            }
          : next(),
      );
      const { manifests, env, files } = planted(canaries, key);
      const desired = await loadText(
        { 'manifests/shop.yaml': manifests, ...files },
        { ...walk, env, inputs: ['manifests'] },
      );
      const { plan } = await walk.plan(desired);
      const events: unknown[] = [];
      const outcome = await walk.apply(plan, { onEvent: (event) => events.push(event) });
      expect(walk.emulator.log.some(({ status: answered }) => answered === status)).toBe(true);
      expect(outcome.changes.filter(({ ending }) => ending === 'failed' || ending === 'unknown')).not.toEqual([]);
      const reported = [plan, outcome, events, walk.state()].flatMap((one) => [
        JSON.stringify(one),
        inspect(one, { depth: null, showHidden: true }),
      ]);
      expect(canaries.in([...reported, printed(plan, kinds, true)].join('\n'))).toEqual([]);
    },
  );

  test('a key that is refused is not repeated', async () => {
    const canaries = new Canaries();
    const emulator = createEmulator({ apiKey: 'another', seed: 1 });
    emulator.intercept(({ headers }) => ({
      status: 401,
      headers: { 'content-type': 'text/html' },
      body: `<h1>${headers['authorization'] ?? ''} is no key</h1>`,
    }));
    const { manifests, env, files } = planted(canaries, canaries.plantKey('API key'));
    const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/shop.yaml': manifests, ...files });
    const ended = [await sluice(dir, 'plan', { env: await served(emulator, env) })];
    expect(ended.map(({ code }) => code)).toEqual([7]);
    mustHaveKept(canaries, ended, dir);
  });
});

describe('law 6, in diagnostics', () => {
  const broken: readonly (readonly [string, (secret: string) => string])[] = [
    ['under a misspelt key', (secret) => oidc(`client_secrte: ${secret}`)],
    [
      'under a misspelt module',
      (secret) => oidc(`client_secret: x`).replace('oidc:', 'odic:').replace(': x', `: ${secret}`),
    ],
    ['in a list where text must be', (secret) => oidc(`client_secret: [${secret}]`)],
    ['in a mapping where text must be', (secret) => oidc(`client_secret: {value: ${secret}}`)],
    ['twice under one key', (secret) => oidc(`client_secret: ${secret}, client_secret: ${secret}`)],
    ['beside a quote that is never closed', (secret) => oidc(`client_secret: ${secret}, issuer: "https://x`)],
    ['beside a bracket that is never closed', (secret) => oidc(`client_secret: ${secret}, scopes: [a`)],
    ['beside an unknown tag', (secret) => oidc(`client_secret: !vault ${secret}`)],
    ['beside a tab', (secret) => `${oidc('client_id: a')}\n\tclient_secret: ${secret}\n`],
    ['outside of any manifest', (secret) => `${secret}\n`],
  ];

  test.each(broken)('a secret %s is not shown', async (_, manifest) => {
    const canaries = new Canaries();
    const secret = canaries.plantKey('manifest');
    const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/shop.yaml': manifest(secret) });
    const env = { SLUICE_API_KEY: canaries.plantKey('API key') };
    const ended = [await sluice(dir, 'validate', { env }), await sluice(dir, 'plan --format json', { env })];
    expect(ended.map(({ code }) => code)).toEqual([8, 8]);
    mustHaveKept(canaries, ended, dir);
  });

  test.each([
    ['that is not declared', (secret: string) => ({ args: ['--var', `pasword=${secret}`] })],
    ['of another type', (secret: string) => ({ args: ['--var', `count=${secret}`] })],
    ['without a name', (secret: string) => ({ args: ['--var', secret] })],
    ['of a misspelled flag', (secret: string) => ({ args: [`--vra=count=${secret}`] })],
    ['of another type in the environment', (secret: string) => ({ args: [], env: { SLUICE_VAR_COUNT: secret } })],
    ['that a template contains', (secret: string) => ({ args: [], env: { SECRET: secret } })],
  ])('the value of a variable %s is not shown', async (_, given) => {
    const canaries = new Canaries();
    const { args, env = {} } = given(canaries.plantKey('variable')) as { args: string[]; env?: Record<string, string> };
    const vars = 'vars: {count: 1, secret: {from_env: SECRET}, text: {template: "a ${var.secret}"}}\n';
    const dir = await directory({ 'sluice.yaml': stackFile + vars, 'manifests/shop.yaml': oidc('client_id: a') });
    const ended = [
      await ran(dir, ['validate', ...args], { env }),
      await ran(dir, ['plan', '--format', 'json', ...args], { env: { ...env, SLUICE_API_KEY: 'k' } }),
    ];
    expect(ended.map(({ code }) => code)).toEqual([8, 8]);
    mustHaveKept(canaries, ended, dir);
  });

  test.each([
    ['as the key itself', (secret: string) => stackFile.replace('{base', `{key: ${secret}, base`)],
    ['under a misspelt key', (secret: string) => stackFile.replace('{base', `{kye: ${secret}, base`)],
    ['beside a syntax error', (secret: string) => stackFile.replace('{base', `{key: ${secret}, "base`)],
    ['in the address', (secret: string) => stackFile.replace('http://', `http://user:${secret}@`)],
  ])('an API key in sluice.yaml %s is not shown', async (_, file) => {
    const canaries = new Canaries();
    const dir = await directory({ 'sluice.yaml': file(canaries.plantKey('sluice.yaml')) });
    const ended = [
      await sluice(dir, 'validate'),
      await sluice(dir, 'plan --format json', { env: { SLUICE_API_KEY: 'k' } }),
    ];
    expect(ended.map(({ code }) => code)).not.toContain(0);
    mustHaveKept(canaries, ended, dir);
  });
});

function oidc(inside: string): string {
  return `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  routes:
    - {match_type: path_prefix, match: /, oidc: {${inside}}}
`;
}

async function served(emulator: Emulator, env: Record<string, string>): Promise<Record<string, string>> {
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  return { ...env, SLUICE_BASE_URL: url };
}

/** No canary in what was printed, nor in any file but those it was planted in. */
function mustHaveKept(canaries: Canaries, ended: readonly Ended[], ...dirs: readonly string[]): void {
  for (const { out, err } of ended) expect(canaries.in(out + err), `${out}\n${err}`).toEqual([]);
  const left = dirs.flatMap((dir) =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => !/^(manifests|secrets|sluice\.yaml)/.test(name) && statSync(join(dir, name)).isFile())
      .map((name) => join(dir, name)),
  );
  for (const path of left) expect(canaries.in(readFileSync(path, 'utf8')), path).toEqual([]);
}
