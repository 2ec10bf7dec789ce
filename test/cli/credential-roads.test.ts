/*
 * Every way by which a pull request, or a service, could have the API key sent to somebody else. The attacker is a real
 * server, reached by any name but the operator's; it must not get one request.
 */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { attackersUrl, hostileNetwork, operatorsUrl } from '../support/hostile-network.ts';
import { eventually } from '../watch/replicas.ts';
import { company, directory, sluice, stack, stackFile, type Ended } from './terminal.ts';

const key = 'canary-key-of-the-operator';
/** Of a pipeline, with a secret that is none of ours. */
const pipeline = { CI: 'true', SLUICE_API_KEY: key, SLUICE_BASE_URL: operatorsUrl, OTHER_CI_SECRET: 'canary-other' };
const ours = stackFile.replace('base_url: embedded', `base_url: "${operatorsUrl}"`);
const others = stackFile.replace('base_url: embedded', `base_url: "${attackersUrl}"`);

const commands = [
  'plan',
  'plan --verify --out /dev/null',
  'apply --auto-approve',
  'destroy --auto-approve',
  'get HTTPSEdge',
  'export HTTPSEdge',
  'import ReservedAddr/mqtt ra_1',
  'output',
  'state rebuild',
  'sessions list',
  'sessions get ts_1',
  'sessions stop ts_1',
  'endpoints list',
  'endpoints get ep_1',
  'abuse-reports create https://shop.example.com/',
  'abuse-reports get abrp_1',
  'watch --no-listen',
];

describe('a base_url of an outsider', () => {
  test.each(commands)('gets nothing from `sluice %s`', async (command) => {
    const { network, operators, attackers } = await hostileNetwork(key);
    const dir = await stack(company, others);
    for (const SLUICE_BASE_URL of ['', operatorsUrl]) {
      const ended = await sluice(dir, command, { network, env: { ...pipeline, SLUICE_BASE_URL } });
      expect(ended.err).toContain('ORIGIN_NOT_TRUSTED');
      expect(ended.code).toBe(8);
      expect(JSON.stringify(ended)).not.toContain('canary');
    }
    expect(attackers.requests).toEqual([]);
    expect(operators.log).toEqual([]);
  });
});

const fromEnv = company.replace('Sensors', '{from_env: HOOK}');
const fromFile = company.replace('Sensors', '{from_file: OUTSIDE/file}');

function withManifests(path: string): string {
  return ours.replace(/^manifests: .*$/m, `manifests: [${path}]`);
}

/** What a pull request does: files, in which OUTSIDE is a directory of the machine, and how `plan` ends. */
const pulls: Readonly<Record<string, readonly [files: Readonly<Record<string, string>>, code: number]>> = {
  'another address in an env file': [
    { 'sluice.yaml': `${ours}secrets: {env_files: [.env]}`, '.env': `SLUICE_BASE_URL=${attackersUrl}` },
    0,
  ],
  'another key file in an env file': [
    { 'sluice.yaml': `${ours}secrets: {env_files: [.env]}`, '.env': 'SLUICE_API_KEY_FILE=OUTSIDE/file' },
    0,
  ],
  'another variable as key': [{ 'sluice.yaml': ours.replace('vendor', 'key: {from_env: OTHER_CI_SECRET}, vendor') }, 8],
  'a file as key': [{ 'sluice.yaml': ours.replace('vendor', 'key: {from_file: OUTSIDE/file}, vendor') }, 8],
  'a webhook of another variable': [
    { 'sluice.yaml': `${ours}watch: {notify: [{url: {from_env: OTHER_CI_SECRET}}]}` },
    8,
  ],
  'a webhook of its own': [
    { 'sluice.yaml': `${ours}watch: {notify: [{url: {from_file: hook}}]}`, hook: attackersUrl },
    8,
  ],
  'the environment of the process as env file': [
    { 'sluice.yaml': `${ours}secrets: {env_files: [/proc/self/environ]}` },
    8,
  ],
  'an env file outside': [
    { 'sluice.yaml': `${ours}secrets: {env_files: [OUTSIDE/file]}`, 'manifests/a.yaml': fromEnv },
    8,
  ],
  'an env file through a link': [
    { 'sluice.yaml': `${ours}secrets: {env_files: [link/file]}`, 'manifests/a.yaml': fromEnv },
    8,
  ],
  'an env file in .git': [
    {
      'sluice.yaml': `${ours}secrets: {env_files: [.git/file]}`,
      '.git/file': 'HOOK=canary',
      'manifests/a.yaml': fromEnv,
    },
    8,
  ],
  'a directory outside': [{ 'sluice.yaml': `${ours}secrets: {dirs: [OUTSIDE]}`, 'manifests/a.yaml': fromFile }, 8],
  'a directory through a link': [{ 'sluice.yaml': `${ours}secrets: {dirs: [link]}`, 'manifests/a.yaml': fromFile }, 8],
  'the directory above': [{ 'sluice.yaml': `${ours}secrets: {dirs: [..]}`, 'manifests/a.yaml': fromFile }, 8],
  'the whole machine': [{ 'sluice.yaml': `${ours}secrets: {dirs: [/]}`, 'manifests/a.yaml': fromFile }, 8],
  'manifests outside': [{ 'sluice.yaml': withManifests('OUTSIDE') }, 8],
  'manifests through a link': [{ 'sluice.yaml': withManifests('link') }, 8],
  'manifests in .git': [{ 'sluice.yaml': withManifests('.git/a.yaml'), '.git/a.yaml': 'canary: 1' }, 8],
  'manifests in the directory above': [{ 'sluice.yaml': withManifests('..') }, 8],
};

describe('a pull request with', () => {
  test.each(Object.entries(pulls))('%s sends no secret of the machine anywhere', async (_, [files, code]) => {
    const { network, attackers, operators } = await hostileNetwork(key);
    const outside = await directory({ file: 'HOOK=canary-of-the-machine\n', 'a.yaml': 'canary: 1\n' });
    const dir = await directory({
      'sluice.yaml': ours,
      'manifests/a.yaml': company,
      ...Object.fromEntries(
        Object.entries(files).map(([name, text]): [string, string] => [name, text.replace('OUTSIDE', outside)]),
      ),
    });
    symlinkSync(outside, join(dir, 'link'));
    const ended: Ended[] = [];
    for (const args of ['plan', 'apply --auto-approve', 'sessions list'])
      ended.push(await sluice(dir, args, { network, env: pipeline }));
    expect(ended[0]).toMatchObject({ code });
    expect(attackers.requests).toEqual([]);
    expect(JSON.stringify(ended)).not.toContain('canary');
    expect(operators.log.map(({ body }) => body).join()).not.toContain('canary');
  });

  test.each(['SLUICE_STATE_URL', 'SLUICE_HOOK_URL'])('%s in place of the key sends it to no service', async (name) => {
    const { network, operators } = await hostileNetwork(key);
    const dir = await stack(company, ours.replace('vendor', `key: {from_env: ${name}}, vendor`));
    const urls = {
      SLUICE_STATE_URL: 'postgresql://u:canary@db/x',
      SLUICE_HOOK_URL: 'https://hooks.example.com/canary',
    };
    const ended = await sluice(dir, 'plan', { network, env: { ...pipeline, ...urls, SLUICE_API_KEY: '' } });
    expect(ended).toMatchObject({ code: 8, err: expect.stringContaining(`${name} is a URL`) as string });
    expect(JSON.stringify(ended)).not.toContain('canary');
    expect(operators.log).toEqual([]);
  });

  test('a directory that the operator has named may read there, and only there', async () => {
    const { network } = await hostileNetwork(key);
    const [named, other] = [await directory({ 'in/a.txt': 'Buoys' }), await directory({ 'a.txt': 'canary' })];
    const manifest = company.replace('Sensors', `{from_file: ${named}/in/a.txt}`);
    const env = { ...pipeline, SLUICE_SECRETS_DIRS: `relative:${named}` };
    const dir = await stack(manifest, `${ours}secrets: {dirs: [${named}/in]}`);
    expect(await sluice(dir, 'plan', { network, env })).toMatchObject({ code: 0, err: '' });
    const far = await stack(manifest, `${ours}secrets: {dirs: [${named}/in, ${other}]}`);
    const ended = await sluice(far, 'plan', { network, env });
    expect(ended.code).toBe(8);
    expect(ended.err).toContain('error[ORIGIN_NOT_TRUSTED] sluice.yaml:5:');
    expect(ended.err).toContain('secrets.dirs');
  });

  test('manifests elsewhere in its git repository are read; others where the operator has named their directory', async () => {
    const { network } = await hostileNetwork(key);
    const root = await directory({
      '.git/HEAD': 'ref: refs/heads/main\n',
      'shared/a.yaml': company,
      'stack/sluice.yaml': withManifests('../shared'),
    });
    const env = { ...pipeline };
    expect(await sluice(join(root, 'stack'), 'validate', { network, env })).toMatchObject({ code: 0 });
    const other = await directory({ 'a.yaml': company });
    writeFileSync(join(root, 'stack/sluice.yaml'), withManifests(other));
    const ended = await sluice(join(root, 'stack'), 'validate', { network, env });
    expect(ended).toMatchObject({ code: 8, err: expect.stringContaining('set SLUICE_SECRETS_DIRS') as string });
    const named = { ...env, SLUICE_SECRETS_DIRS: other };
    expect(await sluice(join(root, 'stack'), 'validate', { network, env: named })).toMatchObject({ code: 0 });
  });
});

const host = attackersUrl.replace('https://', '');

describe('a service that answers with', () => {
  test.each([
    `${attackersUrl}/reserved_addrs`,
    `//${host}/x`,
    `/\\${host}/x`,
    `\\\\${host}\\x`,
    `/\t/${host}/x`,
    `https:\\\\${host}/x`,
    ` ${attackersUrl}/x`,
    `${operatorsUrl}@${host}/x`,
    `${operatorsUrl}.attacker.example/x`,
    `${operatorsUrl}:8443/x`,
    `http://api.operator.example/x`,
    `ftp://api.operator.example/x`,
    `javascript:alert(1)`,
    `https://api.operator.example%2e${host}/x`,
  ])('the next page at %j sends the key to no other origin', async (next) => {
    const { network, attackers, operators } = await hostileNetwork(key);
    operators.intercept(({ method }, go) => {
      if (method !== 'GET') return go();
      return page({ reserved_addrs: [], https_edges: [], routes: [], endpoints: [], uri: '/x', next_page_uri: next });
    });
    const dir = await stack(company, ours);
    const ended = await sluice(dir, 'plan', { network, env: pipeline });
    expect(attackers.requests).toEqual([]);
    expect(ended.code).toBe(1);
    expect(ended.err).toContain('next_page_uri');
  });

  test.each([301, 302, 303, 307, 308])('a redirect %i is not followed, to whatever origin', async (status) => {
    const { network, attackers, operators } = await hostileNetwork(key);
    const dir = await stack(company, ours);
    for (const location of [`${attackersUrl}/x`, `//${host}/x`, `${operatorsUrl}/elsewhere`]) {
      operators.intercept(() => ({
        status,
        headers: {
          location,
          refresh: `0; url=${location}`,
          link: `<${location}>; rel="next"`,
          'alt-svc': `h2="${host}:443"`,
        },
        body: '',
      }));
      for (const command of ['plan', 'sessions list', 'abuse-reports create https://shop.example.com/'])
        expect((await sluice(dir, command, { network, env: pipeline })).code).not.toBe(0);
    }
    expect(attackers.requests).toEqual([]);
    expect(operators.log.filter(({ path }) => path.includes('elsewhere'))).toEqual([]);
  });

  test('writes that are redirected or name another address do not lead there', async () => {
    const { network, attackers, operators } = await hostileNetwork(key);
    const dir = await stack(company, ours);
    let writes = 0;
    operators.intercept(({ method }, go) =>
      method === 'GET' || writes++ > 0 ? go() : { status: 307, headers: { location: attackersUrl }, body: '' },
    );
    expect((await sluice(dir, 'apply --auto-approve', { network, env: pipeline })).code).toBe(6);
    expect((await sluice(dir, 'apply --auto-approve', { network, env: pipeline })).code).toBe(0);
    expect(attackers.requests).toEqual([]);
  });

  test('items at another address reads and deletes them at its own', async () => {
    const { network, attackers, operators } = await hostileNetwork(key);
    const dir = await stack(company, ours);
    operators.intercept(async (_, go) => {
      const answer = await go();
      return { ...answer, body: answer.body.replaceAll('"uri":"', `"uri":"${attackersUrl}`) };
    });
    for (const command of ['apply --auto-approve', 'plan', 'export HTTPSEdge', 'get HTTPSEdge', 'endpoints list'])
      expect(await sluice(dir, command, { network, env: pipeline })).toMatchObject({ code: 0 });
    expect(operators.log.length).toBeGreaterThan(5);
    expect(attackers.requests).toEqual([]);
  });
});

function page(body: unknown): { status: number; headers: Record<string, string>; body: string } {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

describe('a watch', () => {
  test.each([
    ['another address', others],
    ['another proxy', ours.replace('vendor', 'proxy: "http://proxy.attacker.example:1", vendor')],
    ['a file of authorities', ours.replace('vendor', 'ca_file: ca.pem, vendor')],
    ['a directory outside', `${ours}secrets: {dirs: [/var]}\n`],
  ])('that is started outside a pipeline accepts no %s from sluice.yaml', async (_, file) => {
    const { network, operators, attackers } = await hostileNetwork(key);
    const dir = await stack(company, file);
    const { code, err } = await sluice(dir, 'watch --no-listen', { network, env: { SLUICE_API_KEY: key } });
    expect([code, err]).toEqual([
      8,
      expect.stringContaining('hint: sluice watch follows commits, so sluice.yaml alone cannot'),
    ]);
    expect([attackers.requests, operators.log]).toEqual([[], []]);
  });
});

describe('a watch that runs', () => {
  test('refuses a commit that changes the address, shows that, and goes on with the old one', async () => {
    const { network, attackers, operators } = await hostileNetwork(key);
    const quick = 'watch: {interval: 1s, debounce: 1s, scan_interval: 1s}\n';
    const dir = await stack(company, ours + quick);
    const over = new AbortController();
    let log = '';
    const ended = sluice(dir, 'watch --listen 127.0.0.1:0 --poll', {
      network,
      env: { SLUICE_API_KEY: key, SLUICE_BASE_URL: operatorsUrl },
      signal: over.signal,
      err: (text) => (log += text),
    });
    const says = (text: string): Promise<void> =>
      eventually(
        () => log.includes(text),
        () => log,
      );
    await says('ReservedAddr/mqtt: done');
    writeFileSync(join(dir, 'sluice.yaml'), others + quick);
    await says('does not match SLUICE_BASE_URL');
    const { url } = /"url":"(?<url>[^"]+)"/.exec(log)?.groups ?? {};
    expect(await (await fetch(`${url}/status.json`)).text()).toContain('ORIGIN_NOT_TRUSTED');
    const before = operators.log.length;
    await eventually(
      () => operators.log.length > before,
      () => log,
    );
    over.abort();
    await ended;
    expect(attackers.requests).toEqual([]);
  });
});
