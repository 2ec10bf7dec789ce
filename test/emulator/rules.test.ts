import { describe, expect, test } from 'vitest';
import { leafCertificate, partnersCa } from './support/certificates.ts';
import { setUp, withRoute } from './support/setup.ts';

const google = { provider: { google: {} } };
const saml = { idp_metadata: '<EntityDescriptor/>' };
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKL6sTd9mUcMckXG3zmjBmSFGz4rAj4EkKPQYl1RZ3p2 shop';

interface Refused {
  readonly what: string;
  readonly path: string;
  readonly body: object;
  readonly code: string;
}

/** Rules that completions add: enforced under `completed` alone. */
const completed: readonly Refused[] = [
  {
    what: 'a hostport without a port',
    path: '/edges/https',
    body: { hostports: ['shop.example.com'] },
    code: 'INVALID_HOSTPORT',
  },
  {
    what: 'a port above 65535',
    path: '/edges/https',
    body: { hostports: ['a.example.com:65536'] },
    code: 'INVALID_HOSTPORT',
  },
  {
    what: 'a CA that does not exist',
    path: '/edges/https',
    body: { mutual_tls: { certificate_authority_ids: ['ca_1'] } },
    code: 'NO_SUCH_REFERENCE',
  },
  { what: 'an ingress without a domain', path: '/agent_ingresses', body: {}, code: 'MISSING_FIELD' },
  { what: 'a CA without its PEM', path: '/certificate_authorities', body: {}, code: 'MISSING_FIELD' },
  {
    what: 'a certificate of no authority',
    path: '/certificate_authorities',
    body: { ca_pem: leafCertificate },
    code: 'INVALID_CA_CERTIFICATE',
  },
  {
    what: 'two certificates',
    path: '/certificate_authorities',
    body: { ca_pem: partnersCa + partnersCa },
    code: 'INVALID_CA_CERTIFICATE',
  },
  {
    what: 'no SSH key',
    path: '/ssh_host_certificates',
    body: { ssh_certificate_authority_id: 'sshca_1', public_key: 'x' },
    code: 'INVALID_PUBLIC_KEY',
  },
  {
    what: 'a validity that ends before it begins',
    path: '/ssh_host_certificates',
    body: {
      ssh_certificate_authority_id: 'sshca_1',
      public_key: key,
      valid_after: '2028-01-01T00:00:00Z',
      valid_until: '2027-01-01T00:00:00Z',
    },
    code: 'INVALID_VALIDITY_PERIOD',
  },
  { what: 'a subscription to nothing', path: '/event_subscriptions', body: { sources: [] }, code: 'TOO_FEW_ITEMS' },
  {
    what: 'one event type twice',
    path: '/event_subscriptions',
    body: { sources: [{ type: 'a.v0' }, { type: 'a.v0' }] },
    code: 'DUPLICATE_ITEM',
  },
  { what: 'a report of nothing', path: '/abuse_reports', body: { urls: [] }, code: 'TOO_FEW_ITEMS' },
];

/** The same for what a route may hold. */
const completedOnRoutes: readonly Omit<Refused, 'path'>[] = [
  { what: 'no match', body: { match: null }, code: 'MISSING_FIELD' },
  { what: 'two enabled auth modules', body: { oauth: google, saml }, code: 'CONFLICTING_MODULES' },
  { what: 'two providers', body: { oauth: { provider: { google: {}, github: {} } } }, code: 'EXACTLY_ONE_REQUIRED' },
  {
    what: 'capitals in an e-mail',
    body: { oauth: { provider: { google: { email_addresses: ['A@b.c'] } } } },
    code: 'INVALID_FORMAT',
  },
  {
    what: 'one domain twice',
    body: { oauth: { provider: { google: { email_domains: ['b.c', 'b.c'] } } } },
    code: 'DUPLICATE_ITEM',
  },
  {
    what: 'a team without its organization',
    body: { oauth: { provider: { github: { teams: ['web'] } } } },
    code: 'INVALID_FORMAT',
  },
  { what: 'metadata that is no XML', body: { saml: { idp_metadata: '<a>' } }, code: 'INVALID_XML' },
  { what: 'a window of nothing', body: { circuit_breaker: { rolling_window: 0 } }, code: 'OUT_OF_RANGE' },
  { what: 'a header twice', body: { request_headers: { remove: ['X-A', 'x-a'] } }, code: 'DUPLICATE_HEADER' },
  { what: 'an illegal header name', body: { response_headers: { add: { 'a b': 'c' } } }, code: 'INVALID_HEADER' },
  { what: 'an illegal header value', body: { response_headers: { add: { a: 'b\nc' } } }, code: 'INVALID_HEADER' },
  { what: 'no IP policy', body: { ip_restriction: { ip_policy_ids: [] } }, code: 'TOO_FEW_ITEMS' },
  { what: 'a pattern that does not compile', body: { user_agent_filter: { deny: ['('] } }, code: 'INVALID_REGEX' },
  {
    what: 'a policy that is neither JSON nor YAML',
    body: { traffic_policy: { value: 'a: [b' } },
    code: 'INVALID_POLICY_DOCUMENT',
  },
  { what: 'a backend of no id', body: { backend: {} }, code: 'MISSING_FIELD' },
];

/** Rules that the description states: enforced under both profiles. */
const describedOnRoutes: readonly Omit<Refused, 'path'>[] = [
  {
    what: 'a client_id without its secret',
    body: { oauth: { provider: { google: { client_id: 'a' } } } },
    code: 'REQUIRES_OTHER_FIELD',
  },
  {
    what: 'scopes of the managed app',
    body: { oauth: { provider: { google: { scopes: ['a'] } } } },
    code: 'REQUIRES_OTHER_FIELD',
  },
  { what: 'a share above 1.0', body: { circuit_breaker: { error_threshold_percentage: 1.01 } }, code: 'OUT_OF_RANGE' },
  { what: '129 buckets', body: { circuit_breaker: { num_buckets: 129 } }, code: 'OUT_OF_RANGE' },
  {
    what: 'a webhook without its secret',
    body: { webhook_verification: { provider: 'github' } },
    code: 'MISSING_WEBHOOK_SECRET',
  },
  { what: '256 bytes of description', body: { description: 'é'.repeat(128) }, code: 'TOO_LONG' },
  { what: '4097 bytes of metadata', body: { metadata: 'm'.repeat(4097) }, code: 'TOO_LONG' },
  { what: 'an unknown field', body: { colour: 'red' }, code: 'UNKNOWN_FIELD' },
  { what: 'an unknown field of a module', body: { compression: { level: 9 } }, code: 'UNKNOWN_FIELD' },
  { what: 'a read-only field', body: { saml: { ...saml, entity_id: 'x' } }, code: 'READ_ONLY_FIELD' },
  { what: 'a wrong type', body: { compression: { enabled: 'yes' } }, code: 'INVALID_TYPE' },
  { what: 'another match type', body: { match_type: 'regex' }, code: 'INVALID_VALUE' },
];

describe('rules that completions add', () => {
  test.each(completed)('$what is refused, and not under `documented`', async ({ path, body, code }) => {
    const { status, body: error } = await setUp().call('POST', path, body);
    expect([status, error['error_code']]).toEqual([400, code]);
    expect((await setUp({ profile: 'documented' }).call('POST', path, body)).status).toBe(201);
  });

  test.each(completedOnRoutes)('$what is refused on a route, and not under `documented`', async ({ body, code }) => {
    const { route } = await withRoute(body);
    expect([route.status, route.body['error_code']]).toEqual([400, code]);
    expect((await withRoute(body, { profile: 'documented' })).route.status).toBe(201);
  });

  test('a match is unique within its edge whatever its type, under `completed`', async () => {
    const duplicate = { match_type: 'exact_path', match: '/' };
    const { call, edgePath } = await withRoute();
    expect((await call('POST', `${edgePath}/routes`, duplicate)).body['error_code']).toBe('MATCH_TAKEN');
    const documented = await withRoute({}, { profile: 'documented' });
    expect((await documented.call('POST', `${documented.edgePath}/routes`, duplicate)).status).toBe(201);
  });

  test('a domain belongs to one ingress, whatever its case', async () => {
    const { call } = setUp();
    await call('POST', '/agent_ingresses', { domain: 'connect.example.com' });
    const { body } = await call('POST', '/agent_ingresses', { domain: 'Connect.example.com' });
    expect(body['error_code']).toBe('DOMAIN_TAKEN');
  });

  test('a CA in use stays; once free it goes', async () => {
    const { call } = setUp();
    const ca = await call('POST', '/certificate_authorities', { ca_pem: partnersCa });
    const id = String(ca.body['id']);
    const edge = await call('POST', '/edges/https', { mutual_tls: { certificate_authority_ids: [id] } });
    expect((await call('DELETE', `/certificate_authorities/${id}`)).body['error_code']).toBe('IN_USE');
    await call('DELETE', `/edges/https/${String(edge.body['id'])}/mutual_tls`);
    expect((await call('DELETE', `/certificate_authorities/${id}`)).status).toBe(204);
  });

  test('ids of families that are only referred to pass, unless strict references are asked for', async () => {
    const backend = { backend: { backend_id: 'bkd_1' } };
    expect((await withRoute(backend)).route.status).toBe(201);
    expect((await withRoute(backend, { strictRefs: true })).route.body['error_code']).toBe('NO_SUCH_REFERENCE');
    expect((await withRoute(backend, { strictRefs: true, externals: ['bkd_1'] })).route.status).toBe(201);
  });
});

describe('rules that hold under both profiles', () => {
  test.each(describedOnRoutes)('$what is refused', async ({ body, code }) => {
    for (const profile of ['completed', 'documented'] as const) {
      const { route } = await withRoute(body, { profile });
      expect([route.status, route.body['error_code']]).toEqual([400, code]);
    }
  });

  test('exactly 255 and 4096 bytes pass; an event subscription counts characters', async () => {
    const { route, call } = await withRoute({ description: 'd'.repeat(255), metadata: 'm'.repeat(4096) });
    expect(route.status).toBe(201);
    const sources = [{ type: 'a.v0' }];
    const long = await call('POST', '/event_subscriptions', { sources, description: '\u{1f600}'.repeat(255) });
    const longer = await call('POST', '/event_subscriptions', { sources, description: '\u{1f600}'.repeat(256) });
    expect([long.status, longer.status]).toEqual([201, 400]);
  });

  test('the description of a reserved address has no limit', async () => {
    expect((await setUp().call('POST', '/reserved_addrs', { description: 'd'.repeat(1000) })).status).toBe(201);
  });

  test.each(['completed', 'documented'] as const)('a hostport belongs to one edge under %s', async (profile) => {
    const { call } = setUp({ profile });
    await call('POST', '/edges/https', { hostports: ['shop.example.com:443'] });
    const taken = await call('POST', '/edges/https', { hostports: ['SHOP.example.com:443'] });
    expect([taken.status, taken.body['error_code']]).toEqual([400, 'HOSTPORTS_TAKEN']);
  });

  test('hostports may be shared on request', async () => {
    const { call } = setUp({ hostports: 'shared' });
    await call('POST', '/edges/https', { hostports: ['shop.example.com:443'] });
    expect((await call('POST', '/edges/https', { hostports: ['shop.example.com:443'] })).status).toBe(201);
  });

  test('where TLS ends upstream, routes have a backend and an IP restriction, and edges no mutual TLS', async () => {
    const { call } = setUp();
    const upstream = { tls_termination: { terminate_at: 'upstream' } };
    const edge = String((await call('POST', '/edges/https', upstream)).body['id']);
    const routes = `/edges/https/${edge}/routes`;
    const route = { match_type: 'path_prefix', match: '/', backend: { backend_id: 'bkd_1' } };
    const refused = { status: 400, body: { error_code: 'UNSUPPORTED_WITH_UPSTREAM_TLS' } };
    expect(await call('POST', routes, { ...route, compression: {} })).toMatchObject(refused);
    const made = await call('POST', routes, { ...route, ip_restriction: { ip_policy_ids: ['ipp_1'] } });
    expect(made.status).toBe(201);
    const own = `${routes}/${String(made.body['id'])}`;
    expect(await call('PUT', `${own}/oauth`, { provider: { google: {} } })).toMatchObject(refused);
    expect(await call('PATCH', own, { user_agent_filter: {} })).toMatchObject(refused);
    expect(await call('PUT', `/edges/https/${edge}/mutual_tls`, { certificate_authority_ids: [] })).toMatchObject(
      refused,
    );
    expect((await call('PUT', `/edges/https/${edge}/tls_termination`, { terminate_at: 'edge' })).status).toBe(200);
    expect((await call('PUT', `${own}/compression`, {})).status).toBe(200);
    expect(await call('PATCH', `/edges/https/${edge}`, upstream)).toMatchObject(refused);
  });

  test('min_version must be null when TLS ends upstream', async () => {
    const { call } = setUp();
    const upstream = { terminate_at: 'upstream' };
    const bad = await call('POST', '/edges/https', { tls_termination: { ...upstream, min_version: '1.2' } });
    expect(bad.body['error_code']).toBe('MIN_VERSION_WITH_UPSTREAM_TLS');
    const good = await call('POST', '/edges/https', { tls_termination: upstream });
    expect(good.body['tls_termination']).toEqual({ enabled: true, min_version: null, terminate_at: 'upstream' });
  });
});
