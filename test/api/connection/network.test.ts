import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient, type Client } from '../../../src/api/client.ts';
import { ConnectionFailed } from '../../../src/api/api-errors.ts';
import { openConnections, type NetworkSettings } from '../../../src/api/connection/network.ts';
import { isTransient } from '../../../src/api/retry.ts';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { connectProxy, type ProxyBehaviour } from '../../support/connect-proxy.ts';
import { privateAuthority, type Identity } from '../../support/private-authority.ts';

const authority = privateAuthority();
const apiIdentity = authority.identity('api.example.test');
const apiUrl = 'https://api.example.test';
const key = 'canary-key-4711';
// Only what never comes is worth giving up soon: a busy machine may be slow.
const patient = 600_000;

function clientOf(settings: Partial<NetworkSettings>, baseUrl = apiUrl): Client {
  const authorities = { text: authority.pem, from: 'SLUICE_CA_FILE' };
  const { dispatcher, close } = openConnections({ proxy: { env: {} }, authorities, timeoutMs: patient, ...settings });
  onTestFinished(close);
  return createClient({ baseUrl, vendor: 'example', key: () => key, userAgent: 'test', dispatcher });
}

/** The service over TLS. */
async function service(tls: Identity = apiIdentity): Promise<{ readonly port: number; readonly url: string }> {
  const { url, close } = await createEmulator({ apiKey: key }).listen({ tls });
  onTestFinished(close);
  return { port: Number(new URL(url).port), url };
}

/** A proxy behind which api.example.test is the service. */
async function serviceBehindProxy(behaviour: ProxyBehaviour = {}, tls: Identity = apiIdentity) {
  const { port } = await service(tls);
  return connectProxy({ routes: { 'api.example.test:443': port }, ...behaviour });
}

async function failure(work: Promise<unknown>): Promise<ConnectionFailed> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConnectionFailed);
  return error as ConnectionFailed;
}

const write = { method: 'POST', path: '/reserved_addrs', body: { description: 'canary-body' } } as const;

describe('a proxy', () => {
  test.each(['HTTPS_PROXY', 'https_proxy'])(
    'named by %s opens a tunnel, in which it can read nothing',
    async (name) => {
      const proxy = await serviceBehindProxy();
      const client = clientOf({ proxy: { env: { [name]: proxy.url } } });
      expect(await client.write(write)).toMatchObject({ description: 'canary-body' });
      expect(proxy.targets).toEqual(['api.example.test:443']);
      expect(proxy.received()).toContain('CONNECT api.example.test:443 HTTP/1.1');
      expect(proxy.received()).not.toMatch(/canary|authorization: Bearer/i);
    },
  );

  test('gets its own credentials, and a connection stays open for later requests', async () => {
    const proxy = await serviceBehindProxy({ credentials: 'me@corp:p%ss w' });
    const text = proxy.url.replace('//', '//me%40corp:p%25ss%20w@');
    const client = clientOf({ proxy: { given: { text, from: 'SLUICE_PROXY' }, env: {} } });
    const timeout = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    onTestFinished(() => void vi.restoreAllMocks());
    await client.write(write);
    // Opening the tunnel may take no longer than this.
    timeout.abort();
    // The connection is free again.
    await new Promise((resolve) => setImmediate(resolve));
    await client.write(write);
    expect(proxy.targets).toHaveLength(1);
  });

  test('may itself be reached by TLS, with the same authorities', async () => {
    const proxy = await serviceBehindProxy({ tls: authority.identity('127.0.0.1') });
    await clientOf({ proxy: { env: { HTTPS_PROXY: proxy.url } } }).write(write);
    expect(proxy.targets).toEqual(['api.example.test:443']);
    expect(proxy.received()).not.toContain('canary');
  });

  test('with a certificate of nobody we trust is named as the one not trusted', async () => {
    const proxy = await serviceBehindProxy({ tls: privateAuthority('Other').identity('127.0.0.1') });
    const error = await failure(clientOf({ proxy: { env: { HTTPS_PROXY: proxy.url } } }).write(write));
    expect(error).toMatchObject({ code: 'CERTIFICATE_NOT_TRUSTED', mayHaveHappened: false });
    expect(error.message).toContain(`the certificate of the proxy ${proxy.name} is not signed by a trusted authority`);
  });

  const answer = (text: string) => (socket: Socket) => void socket.end(text);
  const silent = (): void => undefined;
  test.each<[string, ProxyBehaviour, string, RegExp]>([
    [
      'wants credentials',
      { credentials: 'a:b' },
      'PROXY_REFUSED',
      /returned 407 for CONNECT api\.example\.test:443: the proxy requires/,
    ],
    [
      'forbids the host',
      { answers: answer('HTTP/1.1 403 Forbidden\r\n\r\n') },
      'PROXY_REFUSED',
      /returned 403 for CONNECT/,
    ],
    [
      'has trouble',
      { answers: answer('HTTP/1.1 502 Bad Gateway\r\n\r\n') },
      'PROXY_FAILED',
      /returned 502 for CONNECT/,
    ],
    ['answers garbage', { answers: answer('SSH-2.0-OpenSSH_9.6\r\n') }, 'PROXY_FAILED', /a response that is not HTTP/],
    ['closes the connection', { answers: (socket) => void socket.end() }, 'PROXY_FAILED', /closed the connection/],
    [
      'sends too much',
      { answers: answer('HTTP/1.1 200 OK\r\n\r\nhello') },
      'PROXY_FAILED',
      /after it accepted CONNECT/,
    ],
    ['says nothing', { answers: silent }, 'PROXY_FAILED', /did not respond to CONNECT .* within 500 ms/],
    ['ends the tunnel', { answers: answer('HTTP/1.1 200 OK\r\n\r\n') }, 'CONNECTION_FAILED', /through the proxy 127/],
  ])('that %s is named, and nothing was sent', async (_, behaviour, code, reported) => {
    const proxy = await serviceBehindProxy(behaviour);
    const text = proxy.url.replace('//', '//canary-user:canary-password@');
    const given = { text: behaviour.credentials === undefined ? text : proxy.url, from: 'SLUICE_PROXY' };
    const timeoutMs = behaviour.answers === silent ? 500 : patient;
    const error = await failure(clientOf({ proxy: { given, env: {} }, timeoutMs }).write(write));
    expect(error).toMatchObject({ code, mayHaveHappened: false });
    expect(error.message).toMatch(reported);
    expect(error.message).toContain(proxy.name);
    expect(JSON.stringify([error.message, error.hint])).not.toContain('canary');
    expect(proxy.targets.length).toBeLessThanOrEqual(2);
  });

  test('that says nothing is named also where garbage was collected meanwhile', async () => {
    const proxy = await connectProxy({ answers: silent });
    const failed = failure(clientOf({ proxy: { env: { HTTPS_PROXY: proxy.url } }, timeoutMs: 500 }).write(write));
    await expect.poll(() => proxy.targets).toHaveLength(1);
    collectGarbage();
    expect(await failed).toMatchObject({ code: 'PROXY_FAILED', mayHaveHappened: false });
  });

  test('that does not accept the credentials reports that without them', async () => {
    const proxy = await serviceBehindProxy({ credentials: 'a:b' });
    const env = { HTTPS_PROXY: proxy.url.replace('//', '//canary:canary@') };
    const error = await failure(clientOf({ proxy: { env } }).write(write));
    expect(error.message).toMatch(/\(HTTPS_PROXY\) returned 407 .* does not accept the credentials/);
    expect(JSON.stringify([error.message, error.hint])).not.toContain('canary');
  });

  test('that is down is named with the variable that names it', async () => {
    const error = await failure(
      clientOf({ proxy: { env: { HTTPS_PROXY: 'http://u:canary@127.0.0.1:1' } } }).write(write),
    );
    expect(error).toMatchObject({ code: 'PROXY_FAILED', mayHaveHappened: false });
    expect(error.message).toContain('the proxy 127.0.0.1:1 (HTTPS_PROXY) cannot be reached: connect ECONNREFUSED');
    expect(JSON.stringify([error.message, error.hint])).not.toContain('canary');
  });

  test('is not used for a service on this machine by plain http, whoever names it', async () => {
    const { url, close } = await createEmulator({ apiKey: key }).listen();
    onTestFinished(close);
    const proxy = await connectProxy();
    const given = { text: proxy.url, from: '--proxy' };
    await clientOf({ proxy: { given, env: { HTTP_PROXY: proxy.url } } }, url).write(write);
    expect(proxy.targets).toEqual([]);
  });

  test('opens a tunnel for plain http of another machine as well, as to the receiver of a notification', async () => {
    const { url, close } = await createEmulator({ apiKey: key }).listen();
    onTestFinished(close);
    const proxy = await connectProxy({ routes: { 'hooks.example.test:80': Number(new URL(url).port) } });
    const connections = openConnections({ proxy: { env: { HTTP_PROXY: proxy.url } }, timeoutMs: patient });
    onTestFinished(connections.close);
    const origin = 'http://hooks.example.test';
    const { statusCode } = await connections.dispatcher.request({ origin, path: '/reserved_addrs', method: 'GET' });
    expect([statusCode, proxy.targets]).toEqual([401, ['hooks.example.test:80']]);
  });

  test('is not kept busy once the client is closed', async () => {
    const proxy = await connectProxy({ answers: () => undefined });
    const { dispatcher, close } = openConnections({ proxy: { env: { HTTPS_PROXY: proxy.url } }, timeoutMs: patient });
    const request = dispatcher.request({ origin: apiUrl, path: '/', method: 'GET' }).catch((error: unknown) => error);
    await expect.poll(() => proxy.targets).toHaveLength(1);
    await close();
    expect(await request).toBeInstanceOf(Error);
    await expect.poll(proxy.open).toBe(0);
  });
});

describe('a URL', () => {
  test('with https of a service that speaks http is named as that, and not tried again', async () => {
    const { url, close } = await createEmulator({ apiKey: key }).listen();
    onTestFinished(close);
    const error = await failure(clientOf({}, url.replace('http:', 'https:')).write(write));
    expect(error).toMatchObject({ code: 'TLS_NOT_SPOKEN', mayHaveHappened: false });
    expect(error.message).toContain(`${new URL(url).host} does not speak TLS on this port`);
    expect(error.message).not.toMatch(/openssl/i);
    expect(error.hint).toContain('http://');
    expect(isTransient(error)).toBe(false);
  });

  test('whose host has no address reports that, and what to check', async () => {
    const error = await failure(clientOf({}, 'http://sluice.invalid').write(write));
    expect(error.message).toMatch(/the host name of sluice\.invalid:80 cannot be resolved|EAI_AGAIN/);
    expect(error.hint).toContain('api.base_url');
  });
});

describe('a private certificate authority', () => {
  test('is trusted once its file is named', async () => {
    const proxy = await serviceBehindProxy();
    await clientOf({ proxy: { env: { HTTPS_PROXY: proxy.url } } }).write(write);
    const { port } = await service(authority.identity('localhost'));
    await clientOf({}, `https://localhost:${port}`).write(write);
  });

  test('is not trusted otherwise: the error names api.ca_file', async () => {
    const { port } = await service(authority.identity('localhost'));
    const settings = { proxy: { env: {} } };
    const { dispatcher, close } = openConnections(settings);
    onTestFinished(close);
    const baseUrl = `https://localhost:${port}`;
    const client = createClient({ baseUrl, vendor: 'example', key: () => key, userAgent: 'test', dispatcher });
    const error = await failure(client.write(write));
    expect(error).toMatchObject({ code: 'CERTIFICATE_NOT_TRUSTED', mayHaveHappened: false });
    expect(error.message).toContain(`the certificate of localhost:${port} is not signed by a trusted authority`);
    expect(error.hint).toContain('SLUICE_CA_FILE or api.ca_file');
  });

  test('that signed nothing here is named as the file to extend', async () => {
    const { port } = await service(authority.identity('localhost'));
    const authorities = { text: privateAuthority('Other').pem, from: 'api.ca_file' };
    const error = await failure(clientOf({ authorities }, `https://localhost:${port}`).write(write));
    expect(error).toMatchObject({ code: 'CERTIFICATE_NOT_TRUSTED' });
    expect(error.hint).toMatch(/to the file named by api\.ca_file$/);
  });

  test('does not make a certificate right that is for another host', async () => {
    const proxy = await serviceBehindProxy({}, authority.identity('www.example.test'));
    const error = await failure(clientOf({ proxy: { env: { HTTPS_PROXY: proxy.url } } }).write(write));
    expect(error).toMatchObject({ code: 'CERTIFICATE_WRONG_HOST', mayHaveHappened: false });
    expect(error.message).toContain('is for other names: DNS:www.example.test');
    expect(error.message).toContain(`(through the proxy ${proxy.name})`);
  });

  test('does not make an expired certificate right', async () => {
    const old = privateAuthority('Old', new Date('2001-01-01T00:00:00Z'));
    const { port } = await service(old.identity('localhost'));
    const authorities = { text: old.pem, from: 'api.ca_file' };
    const error = await failure(clientOf({ authorities }, `https://localhost:${port}`).write(write));
    expect(error).toMatchObject({ code: 'CERTIFICATE_EXPIRED', mayHaveHappened: false });
  });

  const damaged = authority.pem.replace(/\n[A-Za-z0-9+/=]{20}/, '\nAAAAAAAAAAAAAAAAAAAA');
  test.each([
    ['', 'contains no certificate in PEM format'],
    ['-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n', 'contains no certificate'],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', '(number 1)'],
    [authority.pem + damaged, '(number 2)'],
  ])('is refused where the file is %j', (text, reported) => {
    const open = (): unknown => openConnections({ proxy: { env: {} }, authorities: { text, from: 'api.ca_file' } });
    expect(open).toThrow(reported);
    expect(open).toThrow(expect.objectContaining({ code: 'INVALID_CA_FILE' }));
  });
});
