import { expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { asSomebody } from '../support/as-somebody.ts';
import { harness } from '../support/harness.ts';

const audit = (lifecycle = '') =>
  `apiVersion: sluice/v1\nkind: EventSubscription\nmetadata: {name: audit}\n${lifecycle}spec: {description: audit, sources: [{type: edge_created.v0}], destination_ids: [ed_1]}\n`;

test('what one stack adopts from another is created a second time by neither, and given back on request', async () => {
  const first = harness({ stack: { name: 'first', id: '00000001' } });
  const { emulator } = first;
  const second = harness({ emulator, stack: { name: 'second', id: '00000002' } });
  await first.converge({ 'a.yaml': audit() });
  const id = first.state()?.entries['EventSubscription/audit']?.id ?? '';
  await second.converge({ 'a.yaml': audit(`lifecycle: {adopt: ${id}, adopt_from: "00000001"}\n`) });

  const { plan } = await first.plan({ 'a.yaml': audit() });
  expect(plan.diagnostics).toMatchObject([
    { code: 'OWNED_BY_OTHER_STACK', severity: 'error', place: { file: 'a.yaml', line: 1 } },
  ]);
  await first.converge({ 'a.yaml': audit(`lifecycle: {adopt: ${id}, adopt_from: "00000002"}\n`) });
  expect(emulator.log.filter(({ method, path }) => method === 'POST' && path.includes('event_sub'))).toHaveLength(1);
  await second.converge({ 'a.yaml': '' });
  expect(second.state()?.entries).toEqual({});
  expect((await first.plan({ 'a.yaml': audit() })).plan.steps).toEqual([]);
});

test('what a stack applied to a resource stays recorded where it cannot take the resource back', async () => {
  const first = harness({ stack: { name: 'first', id: '00000001' } });
  const { emulator } = first;
  const second = harness({ emulator, stack: { name: 'second', id: '00000002' } });
  await first.converge({ 'a.yaml': audit() });
  const before = first.state()?.entries['EventSubscription/audit'];
  await second.converge({ 'a.yaml': audit(`lifecycle: {adopt: ${before?.id}, adopt_from: "00000001"}\n`) });
  const { plan } = await first.plan({ 'a.yaml': audit(`lifecycle: {adopt: ${before?.id}, adopt_from: "00000002"}\n`) });
  emulator.intercept(faulty(parseFault('status-before=400@PATCH:EventSubscription:0')));
  expect((await first.apply(plan)).changes).toMatchObject([{ action: 'adopt', ending: 'failed' }]);
  expect(first.state()?.entries['EventSubscription/audit']).toEqual(before);
});

const address = (region: string, lifecycle = 'protect: false') =>
  `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: db}\nlifecycle: {${lifecycle}}\nspec: {region: ${region}}\n`;

/** A stack that has replaced an address, and could not delete the old one, and another stack that adopts that. */
async function adoptedOld() {
  const first = harness({ stack: { name: 'first', id: '00000001' } });
  const { emulator } = first;
  await first.converge({ 'a.yaml': address('eu') });
  const old = first.state()?.entries['ReservedAddr/db']?.id ?? '';
  const end = emulator.intercept(faulty(parseFault('status-before=400@DELETE:ReservedAddr:0')));
  await first.apply((await first.plan({ 'a.yaml': address('us') })).plan);
  end();
  const second = harness({ emulator, stack: { name: 'second', id: '00000002' } });
  await second.converge({ 'a.yaml': address('eu', `on_remove: retain, adopt: ${old}, adopt_from: "00000001"`) });
  const isThere = (): boolean => emulator.snapshot().resources.some(({ id }) => id === old);
  return { first, second, old, isThere };
}

test('what a replacement has left, and another stack has adopted since, is not deleted', async () => {
  const { first, isThere } = await adoptedOld();
  expect((await first.plan({ 'a.yaml': address('us') })).plan.steps).toEqual([]);
  await first.apply((await first.plan({ 'a.yaml': audit() })).plan);
  await first.converge({ 'a.yaml': audit() });
  expect(Object.keys(first.state()?.entries ?? {})).toEqual(['EventSubscription/audit']);
  expect(isThere()).toBe(true);
});

test('what a replacement has left, and another stack has adopted and released, is not deleted either', async () => {
  const { first, second, old, isThere } = await adoptedOld();
  await second.converge({ 'a.yaml': '' });
  expect((await first.plan({ 'a.yaml': address('us') })).plan).toMatchObject({
    steps: [],
    diagnostics: [
      {
        code: 'OLD_INSTANCE_NOT_OWNED',
        message: `ReservedAddr ${old}, an old instance of ReservedAddr/db, no longer has the ownership marker of this stack; sluice does not delete it`,
      },
    ],
  });
  const { again } = await first.converge({ 'a.yaml': address('us') });
  expect(again.diagnostics).toEqual([]);
  await first.converge({ 'a.yaml': audit() });
  expect(Object.keys(first.state()?.entries ?? {})).toEqual(['EventSubscription/audit']);
  expect(isThere()).toBe(true);
});

test('an old instance is adopted under another address once its ownership marker is removed, and not before', async () => {
  const walk = harness();
  await walk.converge({ 'a.yaml': address('eu') });
  const old = walk.state()?.entries['ReservedAddr/db']?.id ?? '';
  const end = walk.emulator.intercept(faulty(parseFault('status-before=400@DELETE:ReservedAddr:0')));
  await walk.apply((await walk.plan({ 'a.yaml': address('us') })).plan);
  end();
  const both = { 'a.yaml': address('us'), 'b.yaml': address('eu', `adopt: ${old}`).replace('name: db', 'name: spare') };
  expect((await walk.plan(both)).plan.diagnostics).toMatchObject([
    {
      code: 'ADOPT_ALREADY_MANAGED',
      address: 'ReservedAddr/spare',
      message: `cannot adopt ${old}: it is an old instance of ReservedAddr/db, which apply deletes`,
      hint: 'to keep the resource, first remove the key `sluice` from its metadata in the service; to let apply delete it, remove lifecycle.adopt',
    },
  ]);
  await asSomebody(walk, 'PATCH', `/reserved_addrs/${old}`, { metadata: '' });
  await walk.converge(both);
  expect(walk.state()?.entries['ReservedAddr/spare']?.id).toBe(old);
  expect(walk.state()?.entries['ReservedAddr/db']).not.toHaveProperty('deposed');
});

test('an old edge is not deleted while it contains a route of another stack', async () => {
  const edge = (host: string) => ({
    'a.yaml': `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec: {hostports: ['${host}:443']}\n`,
  });
  const first = harness({ profile: 'documented', stack: { name: 'first', id: '00000001' } });
  const { emulator } = first;
  await first.converge(edge('shop.example.com'));
  const old = first.state()?.entries['HTTPSEdge/shop']?.id ?? '';
  const end = emulator.intercept(faulty(parseFault('status-before=400@DELETE:HTTPSEdge:0')));
  await first.apply((await first.plan(edge('www.example.com'))).plan);
  end();
  const second = harness({ emulator, profile: 'documented', stack: { name: 'second', id: '00000002' } });
  const { plan: theirs } = await second.plan({
    'a.yaml': `apiVersion: sluice/v1\nkind: HTTPSEdgeRoute\nmetadata: {name: theirs}\nspec: {edge_id: ${old}, match_type: path_prefix, match: /, backend: {backend_id: bkd_1}}\n`,
  });
  expect((await second.apply(theirs)).changes).toMatchObject([{ ending: 'done' }]);
  const { plan } = await first.plan(edge('www.example.com'));
  expect(plan.changes.flatMap(({ blocked }) => blocked?.code ?? [])).toEqual(['CONTAINS_UNMANAGED']);
});

test('what another stack has adopted and released is deleted with a hazard, which a policy can block', async () => {
  const first = harness({
    stack: { name: 'first', id: '00000001' },
    policy: { maxDeletes: { count: 10 }, block: ['DELETES_UNMARKED'] },
  });
  const { emulator } = first;
  await first.converge({ 'a.yaml': audit() });
  const id = first.state()?.entries['EventSubscription/audit']?.id ?? '';
  const second = harness({ emulator, stack: { name: 'second', id: '00000002' } });
  await second.converge({ 'a.yaml': audit(`lifecycle: {on_remove: retain, adopt: ${id}, adopt_from: "00000001"}\n`) });
  await second.converge({ 'a.yaml': '' });

  const refused = await first.plan({ 'a.yaml': address('eu') }, { allow: [] });
  expect(refused.plan.changes).toMatchObject([
    {
      action: 'delete',
      blocked: {
        code: 'POLICY',
        message: 'DELETES_UNMARKED requires --allow DELETES_UNMARKED: `policy.block` lists the hazard',
      },
    },
    { action: 'create' },
  ]);
  await expect(first.apply(refused.plan)).rejects.toThrow('the plan has blocked changes');
  const { plan } = await first.plan({ 'a.yaml': address('eu') }, { allow: ['DELETES_UNMARKED'] });
  expect(plan.hazards).toMatchObject([{ code: 'DELETES_UNMARKED', address: 'EventSubscription/audit' }]);
  expect(plan.changes.filter(({ blocked }) => blocked !== undefined)).toEqual([]);
  // As long as a manifest describes the resource, a missing marker is drift.
  const { plan: restored } = await first.plan({ 'a.yaml': audit() }, { allow: [] });
  expect(restored.changes).toMatchObject([{ action: 'update', markerOnly: true }]);
  expect(restored.hazards).toEqual([]);
});

test('so is the old instance of a killed replacement', async () => {
  const first = harness({ stack: { name: 'first', id: '00000001' } });
  const { emulator } = first;
  await first.converge({ 'a.yaml': address('eu') });
  const before = first.state();
  const end = emulator.intercept(faulty(parseFault('status-before=400@DELETE:ReservedAddr:0')));
  await first.apply((await first.plan({ 'a.yaml': address('us') })).plan);
  end();
  const { id: old = '' } = before?.entries['ReservedAddr/db'] ?? {};
  const { nonce = '' } = first.state()?.entries['ReservedAddr/db'] ?? {};
  const intents = { 'ReservedAddr/db': { kind: 'ReservedAddr', nonces: [nonce] } };
  const state = before && { ...before, intents };
  const killed = harness({ emulator, stack: { name: 'first', id: '00000001' }, ...(state && { state }) });
  expect((await killed.plan({ 'a.yaml': address('us') })).plan.hazards.map(({ code }) => code)).toEqual([
    'LOSES_ADDRESS',
  ]);
  await asSomebody(killed, 'PATCH', `/reserved_addrs/${old}`, { metadata: '' });
  expect((await killed.plan({ 'a.yaml': address('us') })).plan.hazards).toContainEqual(
    expect.objectContaining({ code: 'DELETES_UNMARKED', address: `ReservedAddr/db (deposed ${old})` }),
  );
});
