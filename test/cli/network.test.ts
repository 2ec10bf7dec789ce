import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { makeContext } from '../../src/cli/context.ts';
import { connectionsBy } from '../../src/stack/settings/network-settings.ts';
import { readStackConfig } from '../../src/stack/settings/stack-config.ts';
import { connectProxy, type ConnectProxy, type ProxyBehaviour } from '../support/connect-proxy.ts';
import { privateAuthority } from '../support/private-authority.ts';
import { notBuilt, startProgram } from '../support/processes.ts';
import { company, sluice, stack, stackFile } from './terminal.ts';

const key = 'canary-key-4711';
const authority = privateAuthority();
const other = privateAuthority('Other');

/** The service, reached only through a proxy that may want credentials; and a stack with the file of its authority. */
async function corporate(behaviour: ProxyBehaviour = {}, api = '') {
  const { url, close } = await createEmulator({ apiKey: key }).listen({ tls: authority.identity('api.example.test') });
  onTestFinished(close);
  const proxy = await connectProxy({ routes: { 'api.example.test:443': Number(new URL(url).port) }, ...behaviour });
  const dir = await stack(
    company,
    stackFile.replace('base_url: embedded', `base_url: "https://api.example.test"${api.replace('PROXY', proxy.url)}`),
  );
  await writeFile(join(dir, 'ca.pem'), authority.pem);
  await writeFile(join(dir, 'other.pem'), other.pem);
  const plan = (env: Record<string, string>, args = 'plan') =>
    sluice(dir, args, { env: { SLUICE_API_KEY: key, ...env } });
  return { dir, proxy, plan };
}

function tunnels({ targets }: ConnectProxy): number {
  return targets.filter((target) => target === 'api.example.test:443').length;
}

describe('plan reaches the service', () => {
  test.each<[string, (proxy: string) => Record<string, string>, string, string]>([
    ['the standard variable', (proxy) => ({ HTTPS_PROXY: proxy, SLUICE_CA_FILE: 'ca.pem' }), '', 'plan'],
    ['its own variables', (proxy) => ({ SLUICE_PROXY: proxy, SLUICE_CA_FILE: 'ca.pem' }), '', 'plan'],
    ['sluice.yaml', () => ({}), ', proxy: "PROXY", ca_file: ca.pem', 'plan'],
    ['sluice.yaml, found upwards', () => ({}), ', proxy: "PROXY", ca_file: ca.pem', '-C manifests plan'],
    [
      'its own variables before the standard ones',
      (proxy) => ({ SLUICE_PROXY: proxy, HTTPS_PROXY: 'http://127.0.0.1:1', SLUICE_CA_FILE: 'ca.pem' }),
      '',
      'plan',
    ],
    [
      'flags before all else',
      () => ({ SLUICE_PROXY: 'http://127.0.0.1:1', SLUICE_CA_FILE: 'nowhere.pem', CI: 'true' }),
      ', proxy: "http://proxy.attacker.test", ca_file: other.pem',
      '--proxy PROXY --ca-file ca.pem plan',
    ],
  ])('by %s', async (_, env, api, args) => {
    const { proxy, plan } = await corporate({}, api);
    const base = api.includes('attacker') ? { SLUICE_BASE_URL: 'https://api.example.test' } : {};
    const ended = await plan({ ...env(proxy.url), ...base }, args.replace('PROXY', proxy.url));
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(tunnels(proxy)).toBeGreaterThan(0);
    expect(proxy.received()).not.toMatch(/canary/);
  });

  test('with credentials that no output shows, whether they are right or wrong', async () => {
    const { proxy, plan } = await corporate({ credentials: 'canary-user:canary-password' }, ', ca_file: ca.pem');
    const right = proxy.url.replace('//', '//canary-user:canary-password@');
    expect(await plan({ SLUICE_PROXY: right })).toMatchObject({ code: 0 });
    for (const format of ['text', 'json', 'markdown']) {
      const ended = await plan(
        { SLUICE_PROXY: right.replace('password', 'other') },
        `--format ${format} --log-level debug plan`,
      );
      expect(ended.code).toBe(1);
      expect(ended.err).toContain(`the proxy ${proxy.name} (SLUICE_PROXY) returned 407`);
      expect(ended.out + ended.err).not.toMatch(/canary/);
    }
  });

  test('and says at once, without trying again, what a person must set', async () => {
    const { proxy, plan } = await corporate({});
    const ended = await plan({ HTTPS_PROXY: proxy.url });
    expect(ended.code).toBe(1);
    expect(ended.err).toContain('the certificate of api.example.test:443');
    expect(ended.err).toContain('set SLUICE_CA_FILE or api.ca_file');
    expect(ended.err).not.toContain('again in');
  });
});

describe('what cannot be is refused before the first request', () => {
  test.each<[Record<string, string>, string, string]>([
    [{ HTTPS_PROXY: 'socks5://canary@proxy:1080' }, 'plan', 'HTTPS_PROXY is not the URL of an HTTP proxy'],
    [{ SLUICE_PROXY: 'http://wpad/canary.pac' }, 'plan', 'SLUICE_PROXY has a path'],
    [{}, '--proxy http://canary:canary@127.0.0.1:1 plan', '--proxy contains credentials'],
    [{ SLUICE_CA_FILE: 'nowhere.pem' }, 'plan', 'SLUICE_CA_FILE: the file does not exist'],
    [{ SLUICE_CA_FILE: 'sluice.yaml' }, 'plan', 'SLUICE_CA_FILE: the file contains no certificate in PEM format'],
    [{}, '--ca-file manifests plan', '--ca-file: the file is a directory'],
  ])('%j %s', async (env, args, reported) => {
    const { plan } = await corporate();
    const ended = await plan(env, args);
    expect(ended.code).toBe(8);
    expect(ended.err).toContain(reported);
    expect(ended.err).not.toContain('canary');
  });

  test.each(['http://me:canary@proxy:3128', 'canary@proxy', 'socks5://canary:1080', 'http://wpad/canary.pac'])(
    'api.proxy: %s, without repeating it',
    async (proxy) => {
      const { plan } = await corporate({}, `, proxy: "${proxy}"`);
      const ended = await plan({});
      expect(ended.code).toBe(8);
      expect(ended.err).toContain('`api.proxy` must be http://host:port');
      expect(ended.err).not.toContain('canary');
    },
  );

  test.each<[string, Record<string, string>, string]>([
    ['api.proxy', {}, ', proxy: "http://proxy.attacker.test:3128"'],
    ['api.proxy', { SLUICE_PROXY: 'http://proxy.example.test:3128' }, ', proxy: "http://proxy.attacker.test:3128"'],
    ['api.ca_file', {}, ', ca_file: other.pem'],
    ['api.ca_file', { SLUICE_CA_FILE: '/etc/ssl/ca.pem' }, ', ca_file: other.pem'],
  ])('%s that the operator does not confirm in a pipeline: %j', async (setting, env, api) => {
    const { plan, proxy } = await corporate({}, api);
    const ended = await plan({
      CI: 'true',
      SLUICE_BASE_URL: 'https://api.example.test',
      HTTPS_PROXY: proxy.url,
      ...env,
    });
    expect(ended.code).toBe(8);
    expect(ended.err).toContain('error[ORIGIN_NOT_TRUSTED]');
    expect(ended.err).toContain(setting);
    if (setting === 'api.ca_file' && Object.keys(env).length === 0)
      expect(ended.err).toContain(
        'set SLUICE_CA_FILE in the settings of the pipeline to the absolute path of that file; the file must be outside the repository of the stack',
      );
    expect(proxy.targets).toEqual([]);
  });

  test('but not where the operator says the same', async () => {
    const { dir, plan, proxy } = await corporate(
      { credentials: 'me:pw' },
      ', proxy: "http://LOCALHOST:1/", ca_file: ./ca.pem',
    );
    const env = { CI: 'true', SLUICE_BASE_URL: 'https://api.example.test', SLUICE_CA_FILE: join(dir, 'ca.pem') };
    const ended = await plan({ ...env, SLUICE_PROXY: proxy.url.replace('//', '//me:pw@') });
    expect(ended).toMatchObject({ code: 0, err: '' });
  });
});

test('webhooks use the proxy and the authorities of the stack', async () => {
  const { dir, proxy } = await corporate({}, ', proxy: "PROXY", ca_file: ca.pem');
  const context = makeContext(
    {
      cwd: dir,
      env: {},
      out: () => undefined,
      err: () => undefined,
      stdin: () => Promise.resolve(Buffer.alloc(0)),
      terminal: { in: false, out: false, err: false },
      ask: () => Promise.reject(new Error('nobody is there')),
      signal: new AbortController().signal,
    },
    '0.0.0-test',
    { color: false },
  );
  const { dispatcher, close } = connectionsBy((await readStackConfig(context)).network);
  onTestFinished(close);
  const answer = await dispatcher.request({ origin: 'https://api.example.test', path: '/', method: 'POST' });
  expect(answer.statusCode).toBe(401);
  expect(tunnels(proxy)).toBe(1);
});

test(`the built program trusts the file beside what NODE_EXTRA_CA_CERTS adds${notBuilt}`, async ({ skip }) => {
  skip(notBuilt !== '');
  const { dir, proxy } = await corporate();
  const shared = { SLUICE_API_KEY: key, HTTPS_PROXY: proxy.url };
  const [extra, file, neither] = await Promise.all(
    [
      { NODE_EXTRA_CA_CERTS: join(dir, 'ca.pem'), SLUICE_CA_FILE: 'other.pem' },
      { NODE_EXTRA_CA_CERTS: join(dir, 'other.pem'), SLUICE_CA_FILE: 'ca.pem' },
      { SLUICE_CA_FILE: 'other.pem' },
    ].map((env) => startProgram(dir, ['plan'], { ...shared, ...env }).ended),
  );
  expect(extra).toMatchObject({ code: 0, err: '' });
  expect(file).toMatchObject({ code: 0, err: '' });
  expect(neither?.code).toBe(1);
  expect(neither?.err).toContain('add the CA certificate for the server to the file named by SLUICE_CA_FILE');
});
