import { createPrivateKey } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { openConnections } from '../../src/api/connection/network.ts';
import { privateAuthority } from '../support/private-authority.ts';
import { directory, sluice, type Ended } from './terminal.ts';

/** `sluice emulator` in this process with some flags, once it accepts requests. */
async function served(dir: string, flags: string) {
  const stop = new AbortController();
  let ended: Promise<Ended> | undefined;
  let err = '';
  const lines = await new Promise<string>((ready, failed) => {
    const reported = { out: ready, err: (text: string) => void (err += text), signal: stop.signal };
    ended = sluice(dir, `emulator ${flags}`, reported);
    void ended.then(({ code }) => failed(new Error(`ended with ${code}: ${err}`)));
  });
  const end = async (): Promise<number | undefined> => {
    stop.abort();
    return (await ended)?.code;
  };
  onTestFinished(async () => void (await end()));
  const url = lines.trimEnd();
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: 'Bearer right', 'example-version': '2', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const shown = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, body: shown };
  };
  return { lines, url, call, end, err: () => err };
}

const authority = privateAuthority();
const [own, other] = [authority.identity('localhost'), authority.identity('localhost')];
const pems = {
  'server.pem': own.cert,
  'server.key': own.key,
  'other.key': other.key,
  'encrypted.key': createPrivateKey(own.key)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'canary' })
    .toString(),
  'text.pem': 'canary',
};

describe('sluice emulator', () => {
  test('serves HTTPS with a certificate and its key', async () => {
    const dir = await directory(pems);
    const { url } = await served(dir, '--host localhost --tls-cert server.pem --tls-key server.key --page-size 1');
    expect(url).toMatch(/^https:\/\/localhost:\d+$/);
    const authorities = { text: authority.pem, from: 'api.ca_file' };
    const { dispatcher, close } = openConnections({ proxy: { env: {} }, authorities });
    onTestFinished(close);
    const client = createClient({ baseUrl: url, vendor: 'example', key: () => 'any', userAgent: 'test', dispatcher });
    for (let made = 0; made < 2; made++) await client.write({ method: 'POST', path: '/reserved_addrs', body: {} });
    const listed: unknown[] = [];
    for await (const item of client.list('/reserved_addrs', 'reserved_addrs')) listed.push(item);
    expect(listed).toHaveLength(2);
  });

  test.each([
    ['--tls-cert server.pem', '--tls-cert requires --tls-key'],
    ['--tls-key server.key', '--tls-key requires --tls-cert'],
    ['--tls-cert server.pem --tls-key other.key', 'the key in other.key does not match the certificate in server.pem'],
    ['--tls-cert server.pem --tls-key nowhere.key', '--tls-key: nowhere.key does not exist'],
    ['--tls-cert . --tls-key server.key', '--tls-cert: . is a directory, not a file'],
    ['--tls-cert text.pem --tls-key server.key', '--tls-cert: text.pem does not contain a PEM certificate'],
    ['--tls-cert server.pem --tls-key text.pem', '--tls-key: text.pem does not contain a PEM private key'],
    ['--tls-cert server.key --tls-key server.pem', '--tls-cert: server.key does not contain a PEM certificate'],
    ['--tls-cert server.pem --tls-key encrypted.key', '--tls-key: encrypted.key contains an encrypted private key'],
  ])('reports what is wrong with %s', async (flags, messages) => {
    const ended = await sluice(await directory(pems), `emulator ${flags}`);
    expect(ended).toMatchObject({ code: 8, out: '' });
    expect(ended.err).toContain(messages);
    expect(ended.err).not.toMatch(/canary|BEGIN (ENC|PRIV)\w+ KEY-----\n/);
  });

  test('prints its base URL alone once it accepts requests, and says the rest elsewhere', async () => {
    const { lines, call, end, err } = await served(await directory(), '--port 0');
    expect(lines).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
    expect((await call('GET', '/reserved_addrs')).status).toBe(200);
    expect(await end()).toBe(0);
    expect(err()).toContain('press Ctrl-C to stop it');
  });

  test('listens beyond this machine only when that is confirmed', async () => {
    expect(await sluice(await directory(), 'emulator --host 0.0.0.0')).toMatchObject({ code: 8, out: '' });
    const { end } = await served(await directory(), '--host 0.0.0.0 --allow-remote');
    expect(await end()).toBe(0);
  });

  test('prints the URL of its gateway on a second line, and serves both', async () => {
    const { lines, end } = await served(
      await directory(),
      '--gateway 0 --ip-policy ipp_a=192.0.2.0/24,::1 --prefix segment',
    );
    const [url = '', gateway = ''] = lines.trimEnd().split('\n');
    expect(gateway).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${url}/reserved_addrs`)).status).toBe(401);
    expect(await (await fetch(gateway)).text()).toContain('no edge has the hostport 127.0.0.1:443');
    expect(await end()).toBe(0);
    const tls = await served(await directory(), '--gateway 0 --gateway-tls');
    expect(tls.lines).toMatch(/^http:.*\nhttps:\/\/127\.0\.0\.1:\d+\n$/);
  });

  test.each([
    ['--prefix segment', '--prefix requires --gateway'],
    ['--gateway-tls', '--gateway-tls requires --gateway'],
    ['--host-pattern pattern', '--host-pattern requires --gateway'],
    ['--gateway 0 --ip-policy ipp_a=office', 'Each network must be an address such as 203.0.113.7'],
    ['--gateway 0 --ip-policy ipp_a=192.0.2.0/33', 'Each network must be an address such as 203.0.113.7'],
    ['--gateway 0 --ip-policy 192.0.2.1', 'The value must be ID=NETWORKS'],
    ['--gateway 0 --prefix words', 'Allowed choices are text, segment'],
    ['--normalize constructor', 'Allowed values: '],
  ])('refuses %s', async (flags, messages) => {
    const ended = await sluice(await directory(), `emulator ${flags}`);
    expect(ended).toMatchObject({ code: 8, out: '' });
    expect(ended.err).toContain(messages);
  });

  test('makes the same ids and times with a seed and a clock that stands until it is moved', async () => {
    const flags = '--seed one --clock 2027-03-01T12:00:00Z';
    const made: unknown[] = [];
    for (let run = 0; run < 2; run++) {
      const { url, call, end } = await served(await directory(), flags);
      await call('POST', '/_emulator/clock', { advance: 60 });
      made.push(JSON.parse(JSON.stringify((await call('POST', '/reserved_addrs', {})).body).replaceAll(url, '')));
      await end();
    }
    expect(made[0]).toEqual(made[1]);
    expect(made[0]).toMatchObject({ created_at: '2027-03-01T12:01:00Z' });
  });

  test('has agents from the beginning, of several systems', async () => {
    const { call } = await served(await directory(), '--agents 10');
    const { body } = await call('GET', '/tunnel_sessions');
    const systems = (body['tunnel_sessions'] as readonly { os: string }[]).map(({ os }) => os);
    expect(systems).toHaveLength(10);
    expect(new Set(systems)).toEqual(new Set(['linux', 'darwin', 'windows']));
    expect((await call('GET', '/endpoints')).body['endpoints']).toHaveLength(10);
  });

  test('keeps its account in a file of the owner alone, also while it runs, and begins with another that it only reads', async () => {
    const dir = await directory();
    const [data, seed] = [join(dir, 'account.json'), join(dir, 'seed.json')];
    const first = await served(dir, `--data ${data} --agents 2`);
    const { body } = await first.call('POST', '/reserved_addrs', { description: 'kept' });
    await expect.poll(() => readFile(data, 'utf8').catch(() => '')).toContain('kept');
    await first.end();
    expect((await stat(data)).mode & 0o777).toBe(0o600);

    const text = await readFile(data, 'utf8');
    await writeFile(seed, text);
    const other = join(dir, 'other.json');
    const second = await served(dir, `--data ${other} --seed-file ${seed} --agents 5`);
    expect((await second.call('GET', `/reserved_addrs/${String(body['id'])}`)).status).toBe(200);
    await second.call('DELETE', `/reserved_addrs/${String(body['id'])}`);
    await second.end();
    expect(await readFile(seed, 'utf8')).toBe(text);

    const third = await served(dir, `--data ${other} --seed-file ${seed}`);
    expect((await third.call('GET', `/reserved_addrs/${String(body['id'])}`)).status).toBe(404);
    expect(await sluice(dir, 'emulator --seed-file nowhere.json')).toMatchObject({ code: 8 });
    await writeFile(seed, '{"format": 1, "resources": [7]}');
    expect(await sluice(dir, `emulator --seed-file ${seed}`)).toMatchObject({ code: 8 });
  });

  test('lets no other process use the file of its account, until it ends', async () => {
    const dir = await directory();
    const data = join(dir, 'account.json');
    const first = await served(dir, `--data ${data}`);
    const refused = await sluice(dir, `emulator --data ${data}`);
    expect(refused.code).toBe(8);
    expect(refused.err).toMatch(/account\.json is used by `sluice emulator` of .* \(process \d+, since /);
    expect(refused.err).toContain('stop that process, or choose another --data file');
    await first.end();
    const second = await served(dir, `--data ${data}`);
    expect(await second.end()).toBe(0);
    expect(await readdir(dir)).toEqual(['account.json']);
  });

  test('turns away what is over a rate limit, and lets it pass again in time', async () => {
    const { call } = await served(await directory(), '--rate-limit 2/60s --clock 2027-03-01T12:00:00Z');
    await call('GET', '/reserved_addrs');
    await call('GET', '/reserved_addrs');
    const over = await call('GET', '/reserved_addrs');
    expect([over.status, over.headers.get('retry-after')]).toEqual([429, '60']);
    await call('POST', '/_emulator/clock', { advance: 60 });
    expect((await call('GET', '/reserved_addrs')).status).toBe(200);
  });

  test('fails as requested, by several faults, and logs every request without what it was sent', async () => {
    const dir = await directory();
    const log = join(dir, 'requests.jsonl');
    const { call, end } = await served(
      dir,
      `--fault status-before=503@#2 --fault stale-keep-alive@POST:ReservedAddr:1 --latency 1 --log ${log} --api-key right`,
    );
    expect((await call('GET', '/reserved_addrs?limit=5')).status).toBe(200);
    expect((await call('GET', '/reserved_addrs?key=canary')).status).toBe(503);
    await expect(call('POST', '/reserved_addrs', { description: 'canary' })).rejects.toThrow();
    await end();
    const text = await readFile(log, 'utf8');
    expect(text).not.toMatch(/canary|right/);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const always = { time: expect.any(String) as string, ms: expect.any(Number) as number };
    expect(lines).toEqual([
      { ...always, n: 1, method: 'GET', path: '/reserved_addrs?limit=5', status: 200 },
      { ...always, n: 2, method: 'GET', path: '/reserved_addrs?…', status: 503 },
      { ...always, n: 3, method: 'POST', path: '/reserved_addrs', status: 200, broken: 'closed' },
    ]);
  });

  test('logs beside the result with --log -', async () => {
    const { call, end, err } = await served(await directory(), '--log -');
    await call('GET', '/reserved_addrs');
    await end();
    expect(err()).toContain('"path":"/reserved_addrs","status":200');
  });

  test.each([
    ['--hostports unique', 400, 1],
    ['--hostports shared', 201, 2],
    ['--hostports unique --edge-endpoints hidden', 400, 0],
    ['--hostports shared --edge-endpoints hidden', 201, 0],
  ])('is one of four servers: %s', async (flags, second, shown) => {
    const { call } = await served(await directory(), flags);
    const edge = { hostports: ['shop.example.com:443'] };
    await call('POST', '/edges/https', edge);
    expect((await call('POST', '/edges/https', edge)).status).toBe(second);
    expect((await call('GET', '/endpoints')).body['endpoints']).toHaveLength(shown);
  });

  test.each([
    '--fault explode@#1',
    '--fault empty',
    '--clock yesterday',
    '--rate-limit fast',
    '--agents many',
    '--hostports some',
    '--log /nowhere/requests.jsonl',
  ])('refuses %s', async (flags) => {
    expect(await sluice(await directory(), `emulator ${flags}`)).toMatchObject({ code: 8, out: '' });
  });
});
