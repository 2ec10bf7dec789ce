import { describe, expect, test } from 'vitest';
import type { GatewayOptions } from '../../../src/emulator/gateway/gateway-options.ts';
import { signatureOf } from '../../../src/emulator/gateway/modules/signature-check.ts';
import { partnersCa } from '../support/certificates.ts';
import { privateAuthority } from '../../support/private-authority.ts';
import { ending, frontDoor, signedIn, to } from './front-door-account.ts';

const google = { oauth: { provider: { google: {} } } };

describe('a request reaches', () => {
  test('the edge with its hostport, else the one with the longest wildcard', async () => {
    const { ask } = await frontDoor([
      { hostports: ['*.example.com:443'], routes: { '/': to('all') } },
      { hostports: ['*.eu.example.com:443'], routes: { '/': to('europe') } },
      { hostports: ['SHOP.eu.example.com:443', 'shop.example.com:8443'], routes: { '/': to('shop') } },
    ]);
    const asked = (hostport: string) => ending(ask({ hostport }));
    expect(asked('shop.eu.example.com:443')).toBe('shop');
    expect(asked('Shop.EU.example.com:443')).toBe('shop');
    expect(asked('news.eu.example.com:443')).toBe('europe');
    expect(asked('shop.example.com:443')).toBe('all');
    expect(asked('a.b.example.com:443')).toBe('all');
    expect(asked('shop.example.com:8443')).toBe('shop');
    expect(asked('example.com:443')).toBe('unreachable: no edge has the hostport example.com:443');
  });

  test('the route with the host before a wildcard before none, an exact path before a prefix, longer before shorter', async () => {
    const { ask } = await frontDoor([
      {
        hostports: ['*.example.com:443'],
        routes: {
          '/': to('root'),
          '/admin': to('admin'),
          '/admin/keys': to('keys'),
          '=/admin/keys/new': to('new'),
          '*.example.com/news': to('news'),
          'shop.example.com': to('shop'),
        },
      },
    ]);
    const asked = (host: string, path: string) => ending(ask({ host, path, hostport: `${host}:443` }));
    expect(asked('www.example.com', '/admin?x=/admin/keys')).toBe('admin');
    expect(asked('www.example.com', '/administrator')).toBe('admin');
    expect(asked('www.example.com', '/admin/keys/new')).toBe('new');
    expect(asked('www.example.com', '/admin/keys/new/')).toBe('keys');
    expect(asked('www.example.com', '/newsletter')).toBe('news');
    expect(asked('shop.example.com', '/news')).toBe('shop');
    expect(asked('www.example.com', '/ADMIN')).toBe('root');
  });

  test('nothing where no route matches or its backend is disabled', async () => {
    const { ask } = await frontDoor([
      { routes: { '/a': to('a'), '/b': { backend: { backend_id: 'bkd_b', enabled: false } } } },
    ]);
    expect(ending(ask({ path: '/c' }))).toBe('unreachable: no route of the edge matches the request');
    expect(ending(ask({ path: '/b' }))).toBe('unreachable: the route has no enabled backend');
  });

  test('what its policy says, where a traffic policy is enabled', async () => {
    const policy = { traffic_policy: { value: '{}' } };
    const routes = { '/': policy, '/shop': { ...policy, ...to('shop') } };
    const asked = async (trafficPolicy: GatewayOptions['trafficPolicy'] & string, path: string) =>
      (await frontDoor([{ routes }], { trafficPolicy })).ask({ path }).end;
    expect(await asked('forward', '/')).toBe('policy');
    expect(await asked('forward', '/shop')).toBe('backend');
    expect(await asked('answer', '/shop')).toBe('policy');
    expect(await asked('refuse', '/')).toBe('refused');
  });

  test('the first route with a backend where TLS is terminated upstream, whatever the modules ask for', async () => {
    const { ask, emulator } = await frontDoor([
      { modules: { tls_termination: { terminate_at: 'upstream' } }, routes: { 'other.example.com/x': to('any') } },
    ]);
    expect(ending(ask())).toBe('any');
    const account = emulator.snapshot();
    const resources = account.resources.map((one) => ({ ...one, spec: { ...one.spec, ...google } }));
    emulator.restore({ ...account, resources });
    expect(ending(ask())).toBe('any');
  });
});

describe('a module', () => {
  test('requires sign-in, except OPTIONS requests if it exempts them', async () => {
    const { ask } = await frontDoor([
      {
        routes: {
          '/': { ...to('a'), ...google },
          '/cors': { ...to('b'), oauth: { ...google.oauth, options_passthrough: true } },
        },
      },
    ]);
    expect(ending(ask())).toBe('sign-in: oauth: the visitor has not signed in with google');
    expect(ask({ method: 'OPTIONS' }).end).toBe('sign-in');
    expect(ending(ask({ method: 'OPTIONS', path: '/cors' }))).toBe('b');
    expect(ask({ path: '/cors' }).end).toBe('sign-in');
    expect(ending(ask(signedIn('ana@example.com')))).toBe('a');
    const github = { provider: 'github', email: 'ana@example.com', memberOf: [], age: 0, idle: 0 };
    expect(ask({ signIns: [github] }).end).toBe('sign-in');
  });

  test('allows those on any of its lists', async () => {
    const { ask } = await frontDoor([
      {
        routes: {
          '/mail': {
            ...to('mail'),
            oauth: { provider: { google: { email_domains: ['a.com'], email_addresses: ['bo@b.com'] } } },
          },
          '/team': { ...to('team'), oauth: { provider: { github: { teams: ['a/x'], organizations: ['b'] } } } },
          '/saml': {
            ...to('saml'),
            saml: { idp_metadata: '<E entityID="https://idp.a.com"/>', authorized_groups: ['staff'] },
          },
        },
      },
    ]);
    const end = (path: string, email: string, ...groups: string[]) => ask({ path, ...signedIn(email, ...groups) }).end;
    expect(end('/mail', 'Ana@A.com')).toBe('backend');
    expect(end('/mail', 'bo@b.com')).toBe('backend');
    expect(end('/mail', 'ana@b.com')).toBe('refused');
    expect(end('/mail', 'ana@sub.a.com')).toBe('refused');
    expect(end('/team', 'ana@c.com', 'a/x')).toBe('backend');
    expect(end('/team', 'ana@c.com', 'b/y')).toBe('backend');
    expect(end('/team', 'ana@c.com', 'A/X')).toBe('backend');
    expect(end('/team', 'ana@c.com', 'B')).toBe('backend');
    expect(end('/team', 'ana@c.com', 'a/y')).toBe('refused');
    expect(end('/saml', 'ana@c.com', 'staff')).toBe('backend');
    expect(end('/saml', 'ana@c.com', 'Staff')).toBe('refused');
    expect(end('/saml', 'ana@c.com')).toBe('refused');
  });

  test('asks again when a session is too old or idle for too long', async () => {
    const session = { inactivity_timeout: 60, maximum_duration: 600 };
    const { ask } = await frontDoor([{ routes: { '/': { ...to('a'), oauth: { ...google.oauth, ...session } } } }]);
    const after = (age: number, idle: number) =>
      ask({ signIns: [{ provider: 'google', email: 'ana@a.com', memberOf: [], age, idle }] }).end;
    expect([after(600, 60), after(601, 0), after(100, 61)]).toEqual(['backend', 'sign-in', 'sign-in']);
  });

  test('verifies the signature of the body', async () => {
    const hook = (provider: string, secret?: string) => ({
      ...to(provider),
      webhook_verification: { provider, ...(secret === undefined ? {} : { secret }) },
    });
    const { ask } = await frontDoor([
      {
        routes: {
          '/github': hook('GitHub', 's'),
          '/gitlab': hook('gitlab', 's'),
          '/slack': hook('slack', 's'),
          '/sns': hook('sns'),
        },
      },
    ]);
    const body = Buffer.from('{"ref": "main"}');
    const end = (path: string, header: string, value: string) => ask({ path, body, headers: { [header]: value } }).end;
    expect(ask({ path: '/github', body }).end).toBe('refused');
    expect(end('/github', 'x-hub-signature-256', signatureOf(body, 's'))).toBe('backend');
    expect(end('/github', 'x-hub-signature-256', signatureOf(body, 't'))).toBe('refused');
    expect(end('/gitlab', 'x-gitlab-token', 's')).toBe('backend');
    expect(end('/gitlab', 'x-hub-signature-256', signatureOf(body, 's'))).toBe('refused');
    expect(end('/slack', 'gateway-signature', signatureOf(body, 's'))).toBe('backend');
    expect(end('/slack', 'gateway-signature', signatureOf('other', 's'))).toBe('refused');
    expect(end('/sns', 'gateway-signature', signatureOf(body, 'sns'))).toBe('backend');
  });

  test('permits addresses as the options say', async () => {
    const routes = { '/': { ...to('a'), ip_restriction: { ip_policy_ids: ['ipp_office', 'ipp_vpn'] } } };
    const permitted = { ipp_office: ['203.0.113.0/24', '2001:db8::/32'], ipp_vpn: ['203.0.113.7'] };
    const end = async (ipPolicies: 'any' | 'all', address: string) =>
      (await frontDoor([{ routes }], { permitted, ipPolicies })).ask({ address }).end;
    expect(await end('any', '203.0.113.8')).toBe('backend');
    expect(await end('all', '203.0.113.8')).toBe('refused');
    expect(await end('all', '203.0.113.7')).toBe('backend');
    expect(await end('any', '2001:db8::1')).toBe('backend');
    expect(await end('any', '192.0.2.1')).toBe('refused');
    expect((await frontDoor([{ routes }])).ask().end).toBe('refused');
  });

  test('filters user agents', async () => {
    const filter = { user_agent_filter: { allow: ['^curl/', '(?i)^BOT'], deny: ['^bot', '^curl/7'] } };
    const end = async (userAgents: 'deny' | 'allow', agent: string) =>
      (await frontDoor([{ routes: { '/': { ...to('a'), ...filter } } }], { userAgents })).ask({
        headers: { 'user-agent': agent },
      }).end;
    expect(await end('deny', 'curl/8.1')).toBe('backend');
    expect(await end('deny', 'curl/7.1')).toBe('refused');
    expect(await end('allow', 'curl/7.1')).toBe('backend');
    expect(await end('deny', 'Bot')).toBe('backend');
    expect(await end('deny', 'wget')).toBe('refused');
  });

  test('requires a client certificate of a listed authority, and a TLS version', async () => {
    const own = privateAuthority();
    const { call, ask } = await frontDoor([]);
    const [listed, other] = await Promise.all(
      [own.pem, partnersCa].map(async (ca_pem) =>
        String((await call('POST', '/certificate_authorities', { ca_pem })).body['id']),
      ),
    );
    const edge = await call('POST', '/edges/https', {
      hostports: ['shop.example.com:443'],
      mutual_tls: { certificate_authority_ids: [listed] },
      tls_termination: { min_version: '1.3' },
    });
    await call('POST', `/edges/https/${String(edge.body['id'])}/routes`, {
      match_type: 'path_prefix',
      match: '/',
      ...to('a'),
    });
    const { cert } = own.identity('client');
    expect(ending(ask())).toBe('refused: mutual_tls: the client presented no certificate');
    expect(ending(ask({ certificate: { chain: [cert] } }))).toBe('a');
    expect(ask({ certificate: { chain: [privateAuthority().identity('client').cert] } }).end).toBe('refused');
    expect(ending(ask({ certificate: { issuedBy: listed ?? '' } }))).toBe('a');
    expect(ask({ certificate: { issuedBy: other ?? '' } }).end).toBe('refused');
    expect(ending(ask({ certificate: { chain: [cert] }, tlsVersion: '1.2' }))).toBe(
      'refused: tls_termination: TLS 1.2 is below the minimum, TLS 1.3',
    );
  });
});

describe('what the description leaves open', () => {
  const reached = async (routes: Readonly<Record<string, object>>, options: GatewayOptions, request: object) =>
    ending((await frontDoor([{ hostports: ['*.example.com:443'], routes }], options)).ask(request));

  test.each<[GatewayOptions, string, string]>([
    [{ prefix: 'text' }, '/administrator', 'admin'],
    [{ prefix: 'segment' }, '/administrator', 'root'],
    [{ prefix: 'segment' }, '/admin/x', 'admin'],
    [{ path: 'raw' }, '/x/../admin', 'root'],
    [{ path: 'normalized' }, '/x/../%61dmin//y/', 'admin'],
    [{ precedence: 'host' }, '/admin', 'admin'],
    [{ hostPattern: 'literal' }, '/odd', 'root'],
    [{ sameMatch: 'oldest' }, '/same', 'older'],
    [{ sameMatch: 'newest' }, '/same', 'newer'],
    [{ hostPattern: 'pattern' }, '/odd', 'odd'],
    [{ exactHost: 'any-path' }, '/', 'root'],
  ])('with %j, %s reaches %s', async (options, path, backend) => {
    const routes = {
      '/': to('root'),
      '/admin': to('admin'),
      's*.example.com:443/odd': to('odd'),
      'shop.example.com/same': to('older'),
      'shop.example.com:443/same': to('newer'),
    };
    expect(await reached(routes, options, { path })).toBe(backend);
  });

  test('of two edges that share a hostport, the oldest or the newest answers, with its own routes alone', async () => {
    const edges = [
      { hostports: ['*.example.com:443'], routes: { '/': to('older') } },
      { hostports: ['*.example.com:443'], routes: { '/admin': to('newer') } },
    ];
    const asked = async (options: GatewayOptions, path: string): Promise<string> =>
      ending((await frontDoor(edges, options)).ask({ path }));
    expect(await asked({ sameHostport: 'oldest' }, '/admin')).toBe('older');
    expect(await asked({ sameHostport: 'newest' }, '/admin')).toBe('newer');
    expect(await asked({ sameHostport: 'newest' }, '/')).toMatch(/^unreachable: no route of the edge/);
  });

  test('a host or a path has priority', async () => {
    const routes = { 'shop.example.com': to('host'), '/admin': to('admin') };
    expect(await reached(routes, { precedence: 'host' }, { path: '/admin' })).toBe('host');
    expect(await reached(routes, { precedence: 'path' }, { path: '/admin' })).toBe('admin');
  });

  test('a wildcard stands for one label or many', async () => {
    const request = { hostport: 'a.shop.example.com:443', host: 'a.shop.example.com' };
    expect(await reached({ '/': to('root') }, { wildcard: 'many' }, request)).toBe('root');
    expect(await reached({ '/': to('root') }, { wildcard: 'one' }, request)).toMatch(/^unreachable/);
  });

  test('an exact match without a path selects every path or the root', async () => {
    const routes = { '=shop.example.com': to('shop'), '/': to('root') };
    expect(await reached(routes, { exactHost: 'any-path' }, { path: '/x' })).toBe('shop');
    expect(await reached(routes, { exactHost: 'root' }, { path: '/x' })).toBe('root');
    expect(await reached(routes, { exactHost: 'root' }, { path: '/' })).toBe('shop');
  });
});
