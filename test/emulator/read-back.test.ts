import { describe, expect, test } from 'vitest';
import { setUp, withRoute } from './support/setup.ts';
import { partnersCa } from './support/certificates.ts';

const idp = '<EntityDescriptor entityID="https://idp.example.com"/>';

describe('what comes back is not what was sent', () => {
  test('a module without `enabled` comes back enabled', async () => {
    const { route } = await withRoute({ compression: {} });
    expect(route.body['compression']).toEqual({ enabled: true });
  });

  test('description and metadata are there as empty text whether never set or cleared', async () => {
    const { call } = setUp();
    const { body } = await call('POST', '/reserved_addrs', { description: 'postgres' });
    expect(body['metadata']).toBe('');
    const cleared = await call('PATCH', `/reserved_addrs/${String(body['id'])}`, { description: '' });
    expect(cleared.body['description']).toBe('');
  });

  test('an edge of nothing has null modules, null hostports and no routes', async () => {
    const { call } = setUp();
    const { body } = await call('POST', '/edges/https', {});
    expect(body).toMatchObject({ hostports: null, mutual_tls: null, tls_termination: null, routes: [] });
  });

  test('a route shows every module it does not have as null, and a policy that nobody explains', async () => {
    const { route } = await withRoute();
    expect(route.body).toMatchObject({ backend: null, oauth: null, saml: null, traffic_policy: null, policy: null });
  });

  test('oauth with one provider comes back with all the others null and defaults everywhere', async () => {
    const { route } = await withRoute({ oauth: { provider: { google: { email_domains: ['example.com'] } } } });
    expect(route.body['oauth']).toMatchObject({
      provider: {
        github: null,
        amazon: null,
        google: { email_domains: ['example.com'], email_addresses: [], scopes: [] },
      },
      options_passthrough: false,
      cookie_prefix: 'svc.',
      inactivity_timeout: 0,
      maximum_duration: 0,
      auth_check_interval: 0,
    });
  });

  test('an unset cookie prefix is `svc.`, or empty for oidc and saml on some services', async () => {
    const saml = { idp_metadata: idp };
    const usual = await withRoute({ saml });
    expect(usual.route.body).toHaveProperty('saml.cookie_prefix', 'svc.');
    const empty = await withRoute({ saml }, { cookiePrefix: 'empty' });
    expect(empty.route.body).toHaveProperty('saml.cookie_prefix', '');
  });

  test('saml gains defaults, its read-only fields and a signing certificate', async () => {
    const { route } = await withRoute({ saml: { idp_metadata: idp } });
    const saml = route.body['saml'] as Record<string, unknown>;
    expect(saml).toMatchObject({
      idp_metadata: idp,
      allow_idp_initiated: true,
      force_authn: false,
      authorized_groups: [],
      nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      idp_metadata_url: '',
    });
    expect(saml['entity_id']).toBe(saml['metadata_url']);
    expect(saml['request_signing_certificate_pem']).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });

  test('header names come back in lower case', async () => {
    const { route } = await withRoute({ request_headers: { add: { 'X-Shop': 'Yes' }, remove: ['Cookie'] } });
    expect(route.body['request_headers']).toEqual({ enabled: true, add: { 'x-shop': 'Yes' }, remove: ['cookie'] });
  });

  test('tls_termination gains where it terminates', async () => {
    const { call } = setUp();
    const { body } = await call('POST', '/edges/https', { tls_termination: { min_version: '1.3' } });
    expect(body['tls_termination']).toEqual({ enabled: true, min_version: '1.3', terminate_at: 'edge' });
  });

  test('a circuit breaker of nothing gains every number', async () => {
    const { route } = await withRoute({ circuit_breaker: {} });
    expect(route.body['circuit_breaker']).toEqual({
      enabled: true,
      tripped_duration: 10,
      rolling_window: 10,
      num_buckets: 10,
      volume_threshold: 20,
      error_threshold_percentage: 0.5,
    });
  });

  test('hostports come back in lower case, and in an order of the service', async () => {
    const { call } = setUp();
    const sent = ['A.example.com:443', 'b.example.com:443', 'c.example.com:443', 'd.example.com:443'];
    const { body } = await call('POST', '/edges/https', { hostports: sent });
    const read = body['hostports'] as readonly string[];
    expect([...read].sort()).toEqual(sent.map((hostport) => hostport.toLowerCase()));
    expect(read).not.toEqual([...read].sort());
  });

  test('a reserved address without a region is in us; a certificate policy without a key type is rsa', async () => {
    const { call } = setUp();
    expect((await call('POST', '/reserved_addrs', {})).body).toMatchObject({
      region: 'us',
      endpoint_configuration: null,
    });
    const policy = { authority: 'free' };
    const { body } = await call('POST', '/agent_ingresses', {
      domain: 'connect.example.com',
      certificate_management_policy: policy,
    });
    expect(body['certificate_management_policy']).toEqual({ authority: 'free', private_key_type: 'rsa' });
  });

  test('text that is kept for others comes back byte for byte', async () => {
    const policy = ' {"inbound": []}\n';
    const { call, route } = await withRoute({ saml: { idp_metadata: `${idp}\n` }, traffic_policy: { value: policy } });
    expect(route.body).toHaveProperty('saml.idp_metadata', `${idp}\n`);
    expect(route.body).toHaveProperty('traffic_policy.value', policy);
    expect((await call('POST', '/certificate_authorities', { ca_pem: partnersCa })).body['ca_pem']).toBe(partnersCa);
  });

  test.each([
    ['clear', 's3cret'],
    ['empty', ''],
    ['masked', '********'],
  ] as const)('secrets come back %s', async (secrets, shown) => {
    const sent = { provider: 'github', secret: 's3cret' };
    const { call, route, routePath } = await withRoute({ webhook_verification: sent }, { secrets });
    const read = { enabled: true, provider: 'github', secret: shown };
    expect(route.body['webhook_verification']).toEqual(read);
    expect((await call('GET', `${routePath}/webhook_verification`)).body).toEqual(read);
  });

  test('ids are answered as objects that point at what they name', async () => {
    const { route } = await withRoute({
      backend: { backend_id: 'bkd_1' },
      ip_restriction: { ip_policy_ids: ['ipp_1'] },
    });
    expect(route.body).toHaveProperty('backend.backend', {
      id: 'bkd_1',
      uri: 'http://emulator.invalid/backends/bkd_1',
    });
    expect(route.body).toHaveProperty('ip_restriction.ip_policies', [
      { id: 'ipp_1', uri: 'http://emulator.invalid/ip_policies/ipp_1' },
    ]);
  });

  test('as-sent turns all of it off', async () => {
    const { route } = await withRoute(
      { compression: {}, circuit_breaker: {}, request_headers: { add: { 'X-Shop': 'Yes' } } },
      { readBack: 'as-sent' },
    );
    expect(route.body).toMatchObject({
      compression: {},
      circuit_breaker: {},
      request_headers: { add: { 'X-Shop': 'Yes' } },
    });
    expect(route.body).not.toHaveProperty('description');
  });
});
