import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { selfSignedIdentity } from '../../../src/emulator/certificates/certificates-x509.ts';
import { privateAuthority } from '../../support/private-authority.ts';
import { frontDoor, to, type GivenEdge } from './front-door-account.ts';

interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The gateway of an account at a port, and a client that asks it for a host. */
async function listening(edges: readonly GivenEdge[], place: Parameters<typeof served>[1] = {}) {
  return served(await frontDoor(edges), place);
}

async function served(
  all: Awaited<ReturnType<typeof frontDoor>>,
  place: { readonly tls?: { readonly cert: string; readonly key: string } },
) {
  const { url, close } = await all.gateway.listen(place);
  onTestFinished(close);
  const { hostname, port, protocol } = new URL(url);
  const ask = async (
    path: string,
    headers: Readonly<Record<string, string>> = {},
    { body = '', ...options }: RequestOptions & { readonly body?: string } = {},
  ): Promise<Response> => {
    const send = protocol === 'https:' ? httpsRequest : httpRequest;
    const { method = body === '' ? 'GET' : 'POST' } = options;
    const sent = { host: 'shop.example.com', accept: 'application/json', ...headers };
    const request = send({ hostname, port, path, method, headers: sent, rejectUnauthorized: false, ...options }).end(
      body,
    );
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
  };
  return { ...all, ask, port };
}

const shown = ({ body }: Response) =>
  JSON.parse(body.toString()) as { end: string; backend?: string; received: { headers: string[] } };
const google = { oauth: { provider: { google: { email_domains: ['example.com'] } } } };

describe('the gateway over HTTP', () => {
  test('takes its own port for 443, other ports for themselves, and what it is configured for', async () => {
    const { ask, port } = await listening([
      { routes: { '/': to('usual') } },
      { hostports: ['shop.example.com:8443'], routes: { '/': to('other') } },
    ]);
    const because = async (headers: Record<string, string>) =>
      (JSON.parse((await ask('/', headers)).body.toString()) as { because: string }).because;
    expect(await because({})).toBe('bkd_usual answers');
    expect(await because({ host: `Shop.Example.COM.:${port}` })).toBe('bkd_usual answers');
    expect(await because({ host: 'shop.example.com:8443' })).toBe('bkd_other answers');
    expect(await because({ 'gateway-hostport': 'shop.example.com:8443' })).toBe('bkd_other answers');
    expect(await because({ host: 'www.example.com' })).toBe('no edge has the hostport www.example.com:443');
  });

  test('redirects to a page that stands for the identity provider, and remembers who signed in', async () => {
    const { ask } = await listening([
      { routes: { '/': { ...to('a'), ...google }, '/b': { ...to('b'), oauth: { provider: { github: {} } } } } },
    ]);
    const first = await ask('/x?y=1');
    expect([first.status, first.headers.location]).toEqual([302, '/_gateway/sign-in?to=%2Fx%3Fy%3D1']);
    expect((await ask('/x', {}, { body: 'x' })).status).toBe(401);
    const page = await ask(first.headers.location ?? '');
    expect(page.body.toString()).toContain('Sign in with google');
    expect(page.body.toString()).toContain('name="to" value="/x?y=1"');
    const signIn = async (to: string, email: string, cookie = '') => {
      const body = new URLSearchParams({ to, email }).toString();
      const { status, headers } = await ask('/_gateway/sign-in', { cookie }, { body });
      return { status, to: headers.location, cookie: headers['set-cookie']?.[0] ?? '' };
    };
    const done = await signIn('/x?y=1', 'ana@example.com');
    expect(done).toMatchObject({ status: 303, to: '/x?y=1' });
    expect(done.cookie).toMatch(/^svc\.session=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax$/);
    const cookie = done.cookie.replace(/;.*/, '');
    expect((await ask('/x', { cookie })).status).toBe(200);
    expect((await ask('/_gateway/sign-in?to=/x', { cookie })).headers.location).toBe('/x');
    // Another provider asks too, and the session then has both.
    expect((await ask('/b', { cookie })).status).toBe(302);
    const both = (await signIn('/b', 'ana@example.com', cookie)).cookie.replace(/;.*/, '');
    expect([(await ask('/x', { cookie: both })).status, (await ask('/b', { cookie: both })).status]).toEqual([
      200, 200,
    ]);
    expect((await ask('/x', { cookie })).status).toBe(302);
    // A cookie is of one host.
    expect(
      (await ask('/x', { cookie: both, host: 'www.example.com', 'gateway-hostport': 'shop.example.com:443' })).status,
    ).toBe(302);
    await ask('/_gateway/sign-out', { cookie: both });
    expect((await ask('/x', { cookie: both })).status).toBe(302);
    const eve = (await signIn('/x', 'eve@example.org')).cookie.replace(/;.*/, '');
    expect((await ask('/x', { cookie: eve })).status).toBe(403);
  });

  test('ends sessions in time', async () => {
    const session = { inactivity_timeout: 60, maximum_duration: 100 };
    const { ask, pass } = await listening([
      { routes: { '/': { ...to('a'), oauth: { ...google.oauth, ...session } } } },
    ]);
    const { headers } = await ask('/_gateway/sign-in', {}, { body: 'to=/&email=ana@example.com' });
    const cookie = (headers['set-cookie']?.[0] ?? '').replace(/;.*/, '');
    const after = async (seconds: number) => {
      pass(seconds);
      return (await ask('/', { cookie })).status;
    };
    expect([await after(50), await after(50), await after(1)]).toEqual([200, 200, 302]);
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example/', '/a\nSet-Cookie: x=y', '"><script>'])(
    'returns nobody to %j',
    async (elsewhere) => {
      const { ask } = await listening([{ routes: { '/': { ...to('a'), ...google } } }]);
      const body = new URLSearchParams({ to: elsewhere, email: 'ana@example.com' }).toString();
      const { status, headers } = await ask('/_gateway/sign-in', {}, { body });
      expect([status, headers.location]).toEqual([303, '/']);
      const page = await ask(`/_gateway/sign-in?to=${encodeURIComponent(elsewhere)}`);
      expect(page.body.toString()).not.toContain('evil');
      expect(page.body.toString()).not.toContain('<script');
    },
  );

  test('changes headers on the way, and shows the names of those alone', async () => {
    const headers = {
      request_headers: { add: { 'X-Key': 'canary' }, remove: ['x-user'] },
      response_headers: { add: { 'x-frame-options': 'DENY', 'content-length': '3' }, remove: ['server'] },
      compression: {},
    };
    const { ask } = await listening([{ routes: { '/': { ...to('a'), ...headers }, '/plain': to('b') } }]);
    const answer = await ask('/', { 'x-user': 'eve', 'accept-encoding': 'gzip' });
    expect(answer.headers).toMatchObject({ 'x-frame-options': 'DENY', 'content-encoding': 'gzip' });
    expect(answer.headers.server).toBeUndefined();
    const body = gunzipSync(answer.body);
    expect(shown({ ...answer, body }).received.headers).toEqual(['accept', 'accept-encoding', 'host', 'x-key']);
    expect(body.toString()).not.toContain('canary');
    expect((await ask('/', { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
    expect((await ask('/plain', { 'accept-encoding': 'gzip' })).headers.server).toBe('stand-in-backend');
  });

  test('opens the circuit of a route whose backend fails, and closes it again', async () => {
    const circuit_breaker = {
      volume_threshold: 4,
      error_threshold_percentage: 0.5,
      tripped_duration: 30,
      rolling_window: 60,
      num_buckets: 6,
    };
    const { ask, pass } = await listening([{ routes: { '/': { ...to('a'), circuit_breaker } } }]);
    const failing = { 'gateway-backend-status': '502' };
    const [ok, bad] = [
      () => ask('/').then(({ status }) => status),
      () => ask('/', failing).then(({ status }) => status),
    ];
    expect([await ok(), await bad(), await ok(), await ok()]).toEqual([200, 502, 200, 200]);
    expect([await bad(), await bad(), await ok()]).toEqual([502, 502, 503]);
    pass(30);
    expect([await bad(), await ok()]).toEqual([502, 503]);
    pass(30);
    expect([await ok(), await bad(), await ok()]).toEqual([200, 502, 200]);
  });

  test('sees every change of the account', async () => {
    const { ask, call, emulator } = await listening([{ routes: { '/': { ...to('a'), ...google } } }]);
    const route = emulator.snapshot().resources.find(({ kind }) => kind === 'HTTPSEdgeRoute');
    const path = `/edges/https/${route?.parent ?? ''}/routes/${route?.id ?? ''}/oauth`;
    expect((await ask('/')).status).toBe(302);
    await call('DELETE', path);
    expect((await ask('/')).status).toBe(200);
  });

  test('answers in text, and every odd request', async () => {
    const { ask } = await listening([{ routes: { '/': to('a') } }]);
    const text = await ask('/', { accept: '*/*' });
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text.body.toString()).toMatch(
      /^backend: bkd_a answers\n {2}edge {2,}edghts_\w+ \(shop\.example\.com:443\)\n {2}route/,
    );
    expect((await ask('/', {}, { method: 'HEAD' })).body).toHaveLength(0);
    expect((await ask('/_gateway/nothing')).status).toBe(404);
    expect((await ask('/_gateway/sign-in?to=/')).status).toBe(404);
    expect((await ask('/', { host: '' })).status).toBe(404);
    expect((await ask('/', { host: '[::1]:80' })).status).toBe(404);
    expect((await ask('*', {}, { method: 'OPTIONS' })).status).toBe(404);
    expect((await ask('http://shop.example.com/x')).status).toBe(200);
    expect((await ask('/', { 'gateway-address': 'nowhere', 'gateway-backend-status': '99' })).status).toBe(200);
  });
});

test('over TLS, the server name is the host, the version is that of the connection, and certificates count themselves', async () => {
  const authority = privateAuthority();
  const all = await frontDoor([]);
  const { body } = await all.call('POST', '/certificate_authorities', { ca_pem: authority.pem });
  const id = String(body['id']);
  const edge = await all.call('POST', '/edges/https', {
    hostports: ['shop.example.com:443'],
    mutual_tls: { certificate_authority_ids: [id] },
    tls_termination: { min_version: '1.3' },
  });
  const routes = `/edges/https/${String(edge.body['id'])}/routes`;
  await all.call('POST', routes, { match_type: 'path_prefix', match: '/', ...to('a') });
  const { ask } = await served(all, { tls: selfSignedIdentity(new Date('2027-01-01')) });
  const end = async (options: RequestOptions, headers: Record<string, string> = {}) =>
    (await ask('/', headers, { servername: 'shop.example.com', ...options })).status;
  const { cert, key } = authority.identity('client');
  expect(await end({})).toBe(403);
  expect(await end({ cert, key })).toBe(200);
  expect(await end({ cert, key, maxVersion: 'TLSv1.2' })).toBe(403);
  expect(await end({ cert, key, servername: 'www.example.com' })).toBe(404);
  expect(await end({}, { 'gateway-client-cert': id })).toBe(403);
  const other = privateAuthority().identity('client');
  expect(await end(other)).toBe(403);
});
