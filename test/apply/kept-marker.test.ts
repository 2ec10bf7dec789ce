/* A resource that is released, on a service that never clears the metadata of a route (decisions/0032). */
import { expect, test } from 'vitest';
import { harness } from '../support/harness.ts';
import { shopWith } from '../support/shop-edge.ts';

const front =
  '{name: front, lifecycle: {on_remove: retain}, match_type: path_prefix, match: /, backend: {backend_id: bkd_1}}';

test('is known to be released, though it keeps its marker: no later run releases it again, or adopts it', async () => {
  const walk = harness({ service: { emptyRouteFields: 'kept' } });
  await walk.converge(shopWith(front));
  const id = walk.state()?.entries['HTTPSEdgeRoute/shop:front']?.id ?? '';
  const { plan, again } = await walk.converge(shopWith(''));
  expect(plan.changes).toContainEqual(expect.objectContaining({ action: 'forget', id }));
  expect(again.changes.map(({ address }) => address)).toEqual(['HTTPSEdge/shop']);
  expect(walk.state()?.forgotten).toEqual({ [id]: { kind: 'HTTPSEdgeRoute', address: 'HTTPSEdgeRoute/shop:front' } });
  expect(walk.emulator.snapshot().resources.map((one) => one.id)).toContain(id);
});

test('is not recorded where its marker was removed', async () => {
  const walk = harness();
  await walk.converge(shopWith(front));
  await walk.converge(shopWith(''));
  expect(walk.state()?.forgotten ?? {}).toEqual({});
});

test('is not recorded as released where it was to be deleted, and the account did not show it at that time', async () => {
  const walk = harness({ profile: 'documented' });
  const named = (name: string) =>
    `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: ${name}}\nspec: {hostports: ['${name}.example.com:443']}\n`;
  await walk.converge({ 'stack.yaml': named('shop') });
  const id = walk.state()?.entries['HTTPSEdge/shop']?.id ?? '';
  const show = walk.emulator.intercept(({ path }, next) =>
    path.endsWith(id) ? { status: 404, headers: {}, body: '{"msg": "not found"}' } : next(),
  );
  await walk.apply((await walk.plan({ 'stack.yaml': named('till') })).plan);
  show();
  expect(walk.state()?.forgotten ?? {}).toEqual({});
});

test('stays released though the account did not show it at that time, where only state knows that it is to be kept', async () => {
  const walk = harness({ profile: 'documented' });
  const named = (name: string, lifecycle = '') =>
    `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: ${name}}\n${lifecycle}spec: {hostports: ['${name}.example.com:443']}\n---\n`;
  await walk.converge({ 'stack.yaml': named('shop') });
  await walk.converge({ 'stack.yaml': named('shop', 'lifecycle: {on_remove: retain}\n') });
  const id = walk.state()?.entries['HTTPSEdge/shop']?.id ?? '';
  const show = walk.emulator.intercept(({ path }, next) =>
    path.endsWith(id) ? { status: 404, headers: {}, body: '{"msg": "not found"}' } : next(),
  );
  const { plan } = await walk.plan({ 'stack.yaml': named('till') });
  expect(plan.changes).toMatchObject([{ address: 'HTTPSEdge/shop', action: 'forget' }, { action: 'create' }]);
  await walk.apply(plan);
  show();
  const { plan: next } = await walk.plan({ 'stack.yaml': named('till') + named('www') });
  expect(next.changes.map(({ address, action }) => `${action} ${address}`)).toEqual([
    'none HTTPSEdge/till',
    'create HTTPSEdge/www',
  ]);
});
