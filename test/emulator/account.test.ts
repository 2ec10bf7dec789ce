import { expect, test } from 'vitest';
import { computed, identity, metadata, required, text } from '../../src/kinds/fields.ts';
import { kinds, kindSet } from '../../src/kinds/index.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { setUp, withRoute } from './support/setup.ts';

test('an account put into another emulator is the same account, and goes on with new ids', async () => {
  const { emulator, call, edgePath, route } = await withRoute({ backend: { backend_id: 'bkd_1' } });
  const copy = setUp();
  copy.emulator.restore(JSON.parse(JSON.stringify(emulator.snapshot())) as ReturnType<typeof emulator.snapshot>);
  expect((await copy.call('GET', edgePath)).body).toEqual((await call('GET', edgePath)).body);
  expect((await copy.call('GET', '/endpoints')).body).toEqual((await call('GET', '/endpoints')).body);
  const duplicate = { match_type: 'path_prefix', match: '/' };
  expect((await copy.call('POST', `${edgePath}/routes`, duplicate)).body['error_code']).toBe('MATCH_TAKEN');
  const next = await copy.call('POST', `${edgePath}/routes`, { ...duplicate, match: '/api' });
  expect(next.body['id']).not.toBe(route.body['id']);
});

test('an edge whose routes an account no longer has is shown without them', async () => {
  const { emulator, call, edgePath } = await withRoute();
  expect((await call('GET', edgePath)).body['routes']).toHaveLength(1);
  const account = emulator.snapshot();
  emulator.restore({ ...account, resources: account.resources.filter(({ kind }) => kind !== 'HTTPSEdgeRoute') });
  expect((await call('GET', edgePath)).body['routes']).toEqual([]);
});

test('an emulator that hides what edges serve hides it in an account of another, and one that shows it shows it', async () => {
  const shown = async ({ call }: Pick<Awaited<ReturnType<typeof withRoute>>, 'call'>) =>
    ((await call('GET', '/endpoints')).body['endpoints'] as readonly unknown[]).length;
  const { emulator, call } = await withRoute();
  emulator.addAgent({ tunnels: [{ proto: 'https', hostport: 'a.example.com:443' }] });
  const hiding = setUp({ edgeEndpoints: 'hidden' });
  hiding.emulator.restore(emulator.snapshot());
  const showing = setUp();
  showing.emulator.restore(hiding.emulator.snapshot());
  expect([await shown({ call }), await shown(hiding), await shown(showing)]).toEqual([2, 1, 2]);
});

test('in an account of another emulator, a change is refused for what it sets, and not for what it leaves', async () => {
  const lenient = await withRoute({ backend: { backend_id: 'bkd_1' } }, { hostports: 'shared' });
  await lenient.call('POST', '/edges/https', { hostports: ['shop.example.com:443'] });
  const { emulator, call } = setUp({ strictRefs: true });
  emulator.restore(lenient.emulator.snapshot());
  const { edgePath, routePath } = lenient;
  expect((await call('PATCH', edgePath, { description: 'Shop' })).status).toBe(200);
  expect((await call('PATCH', routePath, { compression: {} })).status).toBe(200);
  expect((await call('DELETE', `${routePath}/compression`)).status).toBe(204);
  const hostports = { hostports: ['shop.example.com:443', 'shop.example.net:443'] };
  expect((await call('PATCH', edgePath, hostports)).body['error_code']).toBe('HOSTPORTS_TAKEN');
  const backend = { backend: { backend_id: 'bkd_2' } };
  expect((await call('PATCH', routePath, backend)).body['error_code']).toBe('NO_SUCH_REFERENCE');
});

test('a kind that somebody adds is served without a line of the emulator', async () => {
  const lamp: Kind = {
    name: 'Lamp',
    doc: 'A made-up kind.',
    path: '/lamps',
    listKey: 'lamps',
    idPrefix: 'lamp',
    operations: { create: 'described', get: 'described', list: 'described', update: 'described', delete: 'described' },
    fields: {
      ...identity,
      metadata: metadata(),
      colour: required(text('Its colour.')),
      glow: computed(text('Of its own.')),
    },
    rules: [],
    unique: [{ field: 'colour', scope: 'account', compare: 'caseless', since: 'completed' }],
    printerColumns: ['colour'],
  };
  const { call } = setUp({ kinds: kindSet([...kinds.all, lamp]) });
  const made = await call('POST', '/lamps', { colour: 'red' });
  const path = `/lamps/${String(made.body['id'])}`;
  expect(made.body).toMatchObject({ colour: 'red', uri: `http://emulator.invalid${path}` });
  expect((await call('POST', '/lamps', { colour: 'RED' })).body['error_code']).toBe('COLOUR_TAKEN');
  expect((await call('PATCH', path, { colour: 'green' })).body['colour']).toBe('green');
  expect((await call('GET', '/lamps')).body['lamps']).toHaveLength(1);
  expect((await call('DELETE', path)).status).toBe(204);
});
