import { expect, test } from 'vitest';
import { setUp, withRoute } from './support/setup.ts';

// Clients with typed fields send what nobody set as an empty text.

test('an empty region is the default one', async () => {
  const made = await setUp().call('POST', '/reserved_addrs', { description: '', metadata: '', region: '' });
  expect(made).toMatchObject({ status: 201, body: { description: '', metadata: '', region: 'us' } });
});

test.each(['completed', 'documented'] as const)(
  'a field that a call does not take may be sent unset, as clients of other versions do, under %s',
  async (profile) => {
    const { call } = setUp({ profile });
    for (const unset of ['', null])
      expect((await call('POST', '/reserved_addrs', { endpoint_configuration_id: unset })).status).toBe(201);
    const edge = (await call('POST', '/edges/https', {})).body;
    const route = { match_type: 'path_prefix', match: '/', policy: null };
    expect((await call('POST', `/edges/https/${String(edge['id'])}/routes`, route)).status).toBe(201);
    const set = await call('POST', '/reserved_addrs', { endpoint_configuration_id: 'ec_1' });
    expect(set.body['error_code']).toBe('UNKNOWN_FIELD');
  },
);

test('empty times of a host certificate are the default ones', async () => {
  const { status, body } = await setUp().call('POST', '/ssh_host_certificates', {
    ssh_certificate_authority_id: 'sshca_1',
    public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKL6sTd9mUcMckXG3zmjBmSFGz4rAj4EkKPQYl1RZ3p2',
    valid_after: '',
    valid_until: '',
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ valid_after: '2027-03-01T12:00:00Z', valid_until: '2028-03-01T12:00:00Z' });
});

test('an empty type of key inside a policy is the default one', async () => {
  const { body } = await setUp().call('POST', '/agent_ingresses', {
    domain: 'connect.example.com',
    certificate_management_policy: { authority: 'free', private_key_type: '' },
  });
  expect(body['certificate_management_policy']).toEqual({ authority: 'free', private_key_type: 'rsa' });
});

test('an empty cookie prefix or name format is the default one', async () => {
  const { route } = await withRoute({
    saml: { idp_metadata: '<EntityDescriptor/>', cookie_prefix: '', nameid_format: '' },
  });
  expect(route.body['saml']).toMatchObject({
    cookie_prefix: 'svc.',
    nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  });
});

test('an empty minimum TLS version is the one that the service chooses, and none where TLS ends upstream', async () => {
  const { call } = setUp();
  const made = await call('POST', '/edges/https', { tls_termination: { min_version: '' } });
  expect(made.body['tls_termination']).toMatchObject({ min_version: '1.2' });
  const upstream = { tls_termination: { min_version: '', terminate_at: 'upstream' } };
  expect((await call('POST', '/edges/https', upstream)).body['tls_termination']).toMatchObject({ min_version: null });
});

test('empty parameters of a list are left out', async () => {
  const { call } = setUp();
  await call('POST', '/reserved_addrs', {});
  const { status, body } = await call('GET', '/reserved_addrs?before_id=&limit=');
  expect([status, body['reserved_addrs'], body['next_page_uri']]).toEqual([200, [expect.anything()], null]);
  expect((await call('GET', '/reserved_addrs?limit=all')).status).toBe(400);
});

test('an update with an empty match leaves the route where it is', async () => {
  const { call, routePath } = await withRoute({ match: '/api' });
  const updated = await call('PATCH', routePath, { match_type: '', match: '', compression: {} });
  expect(updated).toMatchObject({ status: 200, body: { match_type: 'path_prefix', match: '/api' } });
  expect(updated.body['compression']).toEqual({ enabled: true });
});

test.each([
  ['completed', [{ type: 'ip_policy_created.v0' }]],
  ['documented', []],
] as const)(
  'an update with no event type leaves the types of a subscription where one is needed, under %s',
  async (profile, left) => {
    const { call } = setUp({ profile });
    const sources = [{ type: 'ip_policy_created.v0' }];
    const made = await call('POST', '/event_subscriptions', { sources });
    const path = `/event_subscriptions/${String(made.body['id'])}`;
    const updated = await call('PATCH', path, { description: 'audit', sources: [] });
    expect(updated).toMatchObject({ status: 200, body: { description: 'audit', sources: left } });
  },
);

test('a new route needs its match all the same, and so does a module what it is about', async () => {
  const { call, edgePath, routePath } = await withRoute();
  const routes = [
    { match_type: '', match: '/api' },
    { match_type: 'exact_path', match: '' },
  ];
  for (const route of routes) expect((await call('POST', `${edgePath}/routes`, route)).status).toBe(400);
  expect((await call('PUT', `${routePath}/backend`, { backend_id: '' })).status).toBe(400);
  expect((await call('PATCH', routePath, { webhook_verification: { provider: '' } })).status).toBe(400);
});

test('an empty text is no number, no truth and nothing that only the service decides', async () => {
  const { call, routePath } = await withRoute();
  expect((await call('POST', '/reserved_addrs', { created_at: '' })).body['error_code']).toBe('READ_ONLY_FIELD');
  for (const wrong of [{ enabled: '' }, { num_buckets: '' }])
    expect((await call('PUT', `${routePath}/circuit_breaker`, wrong)).body['error_code']).toBe('INVALID_TYPE');
});
