import { expect, test } from 'vitest';
import { setUp, withRoute } from './support/setup.ts';

// Clients with typed fields send what nobody set as null, or not at all, and need the keys that their types name.

test('an update leaves the fields of an edge that are null', async () => {
  const { call } = setUp();
  const sent = { description: 'shop', metadata: '{}', hostports: ['shop.example.com:443'], tls_termination: {} };
  const { body: edge } = await call('POST', '/edges/https', sent);
  const nulls = { metadata: null, hostports: null, mutual_tls: null, tls_termination: null };
  const updated = await call('PATCH', `/edges/https/${String(edge['id'])}`, { description: 'new', ...nulls });
  expect(updated).toMatchObject({ status: 200, body: { ...edge, description: 'new' } });
});

test.each(['completed', 'documented'] as const)(
  'an update leaves the fields of a subscription that are null, its sources too, under %s',
  async (profile) => {
    const { call } = setUp({ profile });
    const sent = { sources: [{ type: 'a.v0' }], destination_ids: ['ed_1'], metadata: '{}' };
    const { body: made } = await call('POST', '/event_subscriptions', sent);
    const nulls = { metadata: null, sources: null, destination_ids: null };
    const updated = await call('PATCH', `/event_subscriptions/${String(made['id'])}`, { description: 'new', ...nulls });
    expect(updated).toMatchObject({ status: 200, body: { ...made, description: 'new' } });
  },
);

test('an update leaves the match of a route that is null', async () => {
  const { call, routePath, route } = await withRoute({ metadata: '{}', compression: {} });
  const nulls = { match_type: null, match: null, metadata: null, compression: null };
  const updated = await call('PATCH', routePath, { description: 'new', ...nulls });
  expect(updated).toMatchObject({ status: 200, body: { ...route.body, description: 'new' } });
});

test('a null that is no field, or only read, is refused in an update all the same', async () => {
  const { call } = setUp();
  const { body } = await call('POST', '/reserved_addrs', {});
  const path = `/reserved_addrs/${String(body['id'])}`;
  expect((await call('PATCH', path, { colour: null })).body['error_code']).toBe('UNKNOWN_FIELD');
  expect((await call('PATCH', path, { addr: null })).body['error_code']).toBe('READ_ONLY_FIELD');
});

test('a module may be sent under `module`, beside the ids of its path', async () => {
  const { call, edgePath, routePath, route } = await withRoute();
  const { id, edge_id } = route.body;
  const module = { provider: 'github', secret: 's3cret' };
  for (const body of [{ module }, { id, edge_id, module }])
    expect(await call('PUT', `${routePath}/webhook_verification`, body)).toMatchObject({ status: 200, body: module });
  const tls = { id: edge_id, module: { min_version: '1.3' } };
  expect((await call('PUT', `${edgePath}/tls_termination`, tls)).body).toMatchObject({ min_version: '1.3' });
  for (const other of [
    { id: 'edghtsrt_1', module },
    { edge_id: 'edghts_1', module },
  ])
    expect((await call('PUT', `${routePath}/webhook_verification`, other)).body['error_code']).toBe('ID_MISMATCH');
  for (const wrong of [{ ...module, module }, { module: 'none' }])
    expect((await call('PUT', `${routePath}/webhook_verification`, wrong)).body['error_code']).toBe('UNKNOWN_FIELD');
});

test('a module of nothing may have no body', async () => {
  const { call, routePath } = await withRoute();
  expect(await call('PUT', `${routePath}/compression`)).toMatchObject({ status: 200, body: { enabled: true } });
  expect((await call('PUT', `${routePath}/backend`)).body['error_code']).toBe('MISSING_FIELD');
});

test('sessions and endpoints have metadata, also where nobody set any', async () => {
  const { emulator, call } = setUp();
  emulator.addAgent({ tunnels: [{ proto: 'https', hostport: 'agent.example.com:443' }] });
  await call('POST', '/edges/https', { hostports: ['shop.example.com:443'] });
  const metadata = '';
  const { body: sessions } = await call('GET', '/tunnel_sessions');
  expect(sessions['tunnel_sessions']).toMatchObject([{ metadata }]);
  const { body: endpoints } = await call('GET', '/endpoints');
  expect(endpoints['endpoints']).toMatchObject([{ metadata }, { metadata }]);
});
