import { describe, expect, test } from 'vitest';
import { setUp, withRoute } from './support/setup.ts';

const google = { provider: { google: { email_domains: ['example.com'] } } };
const saml = { idp_metadata: '<EntityDescriptor/>' };

describe('PATCH', () => {
  test('leaves what it does not name', async () => {
    const { call, routePath } = await withRoute({ description: 'front', compression: {} });
    const { body } = await call('PATCH', routePath, { metadata: '{}' });
    expect(body).toMatchObject({ description: 'front', metadata: '{}', compression: { enabled: true }, match: '/' });
  });

  test('replaces a module whole', async () => {
    const { call, routePath } = await withRoute({ circuit_breaker: { num_buckets: 5, rolling_window: 60 } });
    const { body } = await call('PATCH', routePath, { circuit_breaker: { num_buckets: 6 } });
    expect(body['circuit_breaker']).toMatchObject({ num_buckets: 6, rolling_window: 10 });
  });

  test('leaves a module that is null as it is', async () => {
    const { call, routePath } = await withRoute({ compression: {} });
    expect((await call('PATCH', routePath, { compression: null })).body['compression']).toEqual({ enabled: true });
  });

  test('disables automatic certificates with a null policy', async () => {
    const { call } = setUp();
    const policy = { authority: 'free', private_key_type: 'ecdsa' };
    const { body } = await call('POST', '/agent_ingresses', {
      domain: 'connect.example.com',
      certificate_management_policy: policy,
    });
    const off = await call('PATCH', String(body['uri']), { certificate_management_policy: null });
    expect(off.body).toMatchObject({ certificate_management_policy: null, certificate_management_status: null });
  });

  test('empties an edge with no hostports, which are free then', async () => {
    const { call } = setUp();
    const { body } = await call('POST', '/edges/https', { hostports: ['shop.example.com:443'] });
    const empty = await call('PATCH', `/edges/https/${String(body['id'])}`, { hostports: [] });
    expect(empty.body['hostports']).toEqual([]);
    expect((await call('POST', '/edges/https', { hostports: ['shop.example.com:443'] })).status).toBe(201);
  });

  test('moves a route to another match in place', async () => {
    const { call, routePath, route } = await withRoute();
    const moved = await call('PATCH', routePath, { match: '/api', match_type: 'exact_path' });
    expect(moved.body).toMatchObject({ id: route.body['id'], match: '/api', match_type: 'exact_path' });
  });

  test('swaps two auth modules in one request, then the old one is deleted', async () => {
    const { call, routePath } = await withRoute({ oauth: google });
    const swap = await call('PATCH', routePath, { oauth: { ...google, enabled: false }, saml });
    expect(swap.status).toBe(200);
    expect((await call('DELETE', `${routePath}/oauth`)).status).toBe(204);
    expect((await call('GET', routePath)).body).toMatchObject({ oauth: null, saml: { enabled: true } });
  });

  test('cannot bring a second enabled auth module beside the first', async () => {
    const { call, routePath } = await withRoute({ oauth: google });
    expect((await call('PATCH', routePath, { saml })).body['error_code']).toBe('CONFLICTING_MODULES');
    expect((await call('PUT', `${routePath}/saml`, saml)).body['error_code']).toBe('CONFLICTING_MODULES');
  });

  test('may repeat the ids of its path, but no others', async () => {
    const { call, edgePath, routePath, route } = await withRoute();
    const { id, edge_id } = route.body;
    expect((await call('PATCH', routePath, { id, edge_id, description: 'x' })).status).toBe(200);
    expect((await call('PATCH', routePath, { id: 'edghtsrt_1' })).body['error_code']).toBe('ID_MISMATCH');
    expect((await call('PATCH', edgePath, { id: edge_id })).status).toBe(200);
  });

  test.each([
    ['/reserved_addrs', {}, { region: 'eu' }],
    ['/agent_ingresses', { domain: 'connect.example.com' }, { domain: 'other.example.com' }],
  ])('cannot change what is fixed at creation: %s', async (path, body, change) => {
    const { call } = setUp();
    const made = await call('POST', path, body);
    const { status, body: error } = await call('PATCH', `${path}/${String(made.body['id'])}`, change);
    expect([status, error['error_code']]).toEqual([400, 'IMMUTABLE_FIELD']);
  });

  test('sets the endpoint configuration of an address, which a create does not take', async () => {
    const { call } = setUp();
    const configured = { endpoint_configuration_id: 'ec_1' };
    expect((await call('POST', '/reserved_addrs', configured)).body['error_code']).toBe('UNKNOWN_FIELD');
    const { body } = await call('POST', '/reserved_addrs', {});
    const patched = await call('PATCH', `/reserved_addrs/${String(body['id'])}`, configured);
    expect(patched.body['endpoint_configuration']).toMatchObject({ id: 'ec_1' });
    const unset = await call('PATCH', `/reserved_addrs/${String(body['id'])}`, { endpoint_configuration_id: null });
    expect(unset.body['endpoint_configuration']).toBeNull();
  });

  test('replaces lists whole', async () => {
    const { call } = setUp();
    const { body } = await call('POST', '/event_subscriptions', { sources: [{ type: 'a.v0' }, { type: 'b.v0' }] });
    const path = `/event_subscriptions/${String(body['id'])}`;
    const { body: changed } = await call('PATCH', path, { sources: [{ type: 'c.v0' }], destination_ids: ['ed_1'] });
    expect(changed).toMatchObject({
      sources: [{ type: 'c.v0', uri: `http://emulator.invalid${path}/sources/c.v0` }],
      destinations: [{ id: 'ed_1' }],
    });
  });
});

describe('modules at paths of their own', () => {
  test('PUT replaces whole: what it leaves out falls back to the default', async () => {
    const { call, routePath } = await withRoute({ circuit_breaker: { num_buckets: 5, rolling_window: 60 } });
    const put = await call('PUT', `${routePath}/circuit_breaker`, { num_buckets: 6 });
    expect([put.status, put.body['num_buckets'], put.body['rolling_window']]).toEqual([200, 6, 10]);
  });

  test('DELETE is done whether or not the module was set; GET of an unset one is not found', async () => {
    const { call, routePath } = await withRoute({ compression: {} });
    expect((await call('DELETE', `${routePath}/compression`)).status).toBe(204);
    expect((await call('DELETE', `${routePath}/compression`)).status).toBe(204);
    expect((await call('GET', `${routePath}/compression`)).status).toBe(404);
  });

  test('an edge has two', async () => {
    const { call, edgePath } = await withRoute();
    expect((await call('PUT', `${edgePath}/tls_termination`, { min_version: '1.3' })).status).toBe(200);
    expect((await call('PUT', `${edgePath}/mutual_tls`, { certificate_authority_ids: [] })).status).toBe(200);
    expect((await call('DELETE', `${edgePath}/tls_termination`)).status).toBe(204);
  });
});

describe('routes', () => {
  test('appear in their edge, and go with it', async () => {
    const { call, edgePath, routePath, route } = await withRoute();
    expect((await call('GET', edgePath)).body['routes']).toEqual([route.body]);
    await call('DELETE', edgePath);
    expect((await call('GET', routePath)).status).toBe(404);
  });

  test('are not found below another edge', async () => {
    const { call, route } = await withRoute();
    const other = await call('POST', '/edges/https', {});
    const path = `/edges/https/${String(other.body['id'])}/routes/${String(route.body['id'])}`;
    expect((await call('GET', path)).status).toBe(404);
  });

  test('cannot be made in an edge that does not exist', async () => {
    const { call } = setUp();
    const { status } = await call('POST', '/edges/https/edghts_1/routes', { match_type: 'exact_path', match: '/' });
    expect(status).toBe(400);
  });
});

describe('the profile `documented`', () => {
  test('has no call that only completions know: they are not found', async () => {
    const { call, edgePath, routePath } = await withRoute({}, { profile: 'documented' });
    const completed: readonly (readonly [string, string])[] = [
      ['GET', '/edges/https'],
      ['PATCH', edgePath],
      ['PUT', `${edgePath}/mutual_tls`],
      ['GET', routePath],
      ['PATCH', routePath],
      ['DELETE', routePath],
      ['PUT', `${routePath}/oauth`],
      ['DELETE', `${routePath}/compression`],
    ];
    for (const [method, path] of completed)
      expect([method, path, (await call(method, path)).status]).toEqual([method, path, 404]);
  });

  test('has the described ones', async () => {
    const { call, edgePath, routePath } = await withRoute({}, { profile: 'documented' });
    expect((await call('GET', edgePath)).status).toBe(200);
    expect((await call('PUT', `${routePath}/saml`, saml)).status).toBe(200);
    expect((await call('PUT', `${routePath}/webhook_verification`, { provider: 'sns' })).status).toBe(200);
    expect((await call('PUT', `${routePath}/ip_restriction`, { ip_policy_ids: ['ipp_1'] })).status).toBe(200);
    expect((await call('DELETE', `${routePath}/saml`)).status).toBe(204);
    expect((await call('DELETE', edgePath)).status).toBe(204);
  });
});
