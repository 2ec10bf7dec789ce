import { expect, test } from 'vitest';
import { setUp } from '../support/setup.ts';

interface Shown {
  readonly id: string;
  readonly hostport: string;
}

test('every hostport of an edge is an endpoint that points at the edge and carries its metadata', async () => {
  const { call } = setUp();
  const edge = await call('POST', '/edges/https', { hostports: ['shop.example.com:443'], metadata: '{"a":1}' });
  const { body } = await call('GET', '/endpoints');
  expect(body['endpoints']).toEqual([
    {
      id: expect.stringMatching(/^ep_/) as string,
      region: 'us',
      created_at: '2027-03-01T12:00:00Z',
      updated_at: '2027-03-01T12:00:00Z',
      public_url: 'https://shop.example.com',
      proto: 'https',
      hostport: 'shop.example.com:443',
      type: 'edge',
      metadata: '{"a":1}',
      edge: { id: edge.body['id'], uri: edge.body['uri'] },
    },
  ]);
});

test('endpoints follow the edge: those that stay keep their id', async () => {
  const { call, pass } = setUp();
  const { body: edge } = await call('POST', '/edges/https', { hostports: ['a.example.com:443', 'b.example.com:8443'] });
  const path = `/edges/https/${String(edge['id'])}`;
  const shown = async () => (await call('GET', '/endpoints')).body['endpoints'] as readonly Shown[];
  const before = await shown();
  pass(60);
  await call('PATCH', path, { hostports: ['b.example.com:8443'], metadata: 'new' });
  const kept = before.find(({ hostport }) => hostport === 'b.example.com:8443');
  expect(await shown()).toMatchObject([
    { id: kept?.id, public_url: 'https://b.example.com:8443', metadata: 'new', updated_at: '2027-03-01T12:01:00Z' },
  ]);
  expect((await call('GET', `/endpoints/${kept?.id ?? ''}`)).status).toBe(200);
  await call('DELETE', path);
  expect(await shown()).toEqual([]);
});

test('some services do not show what edges serve', async () => {
  const { call } = setUp({ edgeEndpoints: 'hidden' });
  await call('POST', '/edges/https', { hostports: ['shop.example.com:443'] });
  expect((await call('GET', '/endpoints')).body['endpoints']).toEqual([]);
});

test('an agent serves endpoints of its own, without what does not apply', async () => {
  const { emulator, call } = setUp();
  emulator.addAgent({ region: 'eu', tunnels: [{ proto: 'tcp', hostport: '1.tcp.example.com:12345' }] });
  const [endpoint] = (await call('GET', '/endpoints')).body['endpoints'] as readonly object[];
  expect(endpoint).toMatchObject({
    type: 'ephemeral',
    proto: 'tcp',
    region: 'eu',
    tunnel: { id: expect.stringMatching(/^tn_/) as string },
  });
  expect(Object.keys(endpoint ?? {})).not.toContain('edge');
});

test('each tunnel of an agent has an id of its own', async () => {
  const { emulator, call } = setUp();
  const tunnels = ['a.example.com:443', 'b.example.com:443'].map((hostport) => ({ proto: 'https' as const, hostport }));
  emulator.addAgent({ tunnels });
  const shown = (await call('GET', '/endpoints')).body['endpoints'] as readonly { tunnel: { id: string } }[];
  expect(new Set(shown.map(({ tunnel }) => tunnel.id)).size).toBe(2);
});

test('an endpoint at a reserved address names it for as long as the address is reserved', async () => {
  const { emulator, call } = setUp();
  const { body: address } = await call('POST', '/reserved_addrs', {});
  emulator.addAgent({ tunnels: [{ proto: 'tcp', hostport: String(address['addr']) }] });
  emulator.addAgent({ tunnels: [{ proto: 'tcp', hostport: '1.tcp.example.com:12345' }] });
  const shown = async () => (await call('GET', '/endpoints')).body['endpoints'] as readonly Record<string, unknown>[];
  const tcpAddr = { id: address['id'], uri: address['uri'] };
  expect((await shown()).map((endpoint) => endpoint['tcp_addr'])).toEqual([undefined, tcpAddr]);
  await call('DELETE', `/reserved_addrs/${String(address['id'])}`);
  expect((await shown()).filter((endpoint) => 'tcp_addr' in endpoint)).toEqual([]);
});

test('endpoints can only be read', async () => {
  expect((await setUp().call('POST', '/endpoints', {})).headers['allow']).toBe('GET');
});
