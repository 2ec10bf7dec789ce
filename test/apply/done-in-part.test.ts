/*
 * A change of several requests, of which the first is carried out and a later one is not. State has what was carried out: if
 * the commit is reverted then, that is a change of the manifests, and not somebody else's.
 */
import { expect, test } from 'vitest';
import { refusalAnswer, Refusal } from '../../src/emulator/answer.ts';
import { harness, type Harness } from '../support/harness.ts';
import { shopWith } from '../support/shop-edge.ts';
import { rig } from '../watch/rig.ts';

const edge = (route: string) => shopWith(`{name: all, match_type: path_prefix, match: /, ${route}}`);
const before = edge('backend: {backend_id: bkd_1}, compression: {}');
const after = edge('backend: {backend_id: bkd_2}');
const route = 'HTTPSEdgeRoute/shop:all';

/** A service that removes nothing. */
function keepingAll({ emulator }: Pick<Harness, 'emulator'>): () => void {
  return emulator.intercept(({ method }, next) =>
    method === 'DELETE' ? refusalAnswer(new Refusal(400, undefined, 'not this time'), 'op_1') : next(),
  );
}

test('is no drift once it is reverted', async () => {
  const walk = harness();
  await walk.converge(before);
  const { plan } = await walk.plan(after);
  const serveAgain = keepingAll(walk);
  const { changes } = await walk.apply(plan);
  expect(changes).toMatchObject([{ address: route, ending: 'failed', partiallyApplied: true }]);
  serveAgain();
  const { plan: reverted } = await walk.plan(before);
  const change = reverted.changes.find(({ address }) => address === route);
  expect(change?.fields).toMatchObject([{ path: ['backend', 'backend_id'], reason: 'changed' }]);
  const { plan: again } = await walk.plan(after);
  const rest = again.changes.find(({ address }) => address === route);
  expect(rest?.fields).toMatchObject([{ path: ['compression'], reason: 'changed' }]);
  await walk.converge(before);
});

test('is taken back by a watch that reverts nothing of others', async () => {
  const watch = rig(before, { healDrift: false });
  await watch.rests();
  const serveAgain = keepingAll(watch.account);
  watch.write(after);
  await watch.rests();
  expect(watch.spec(route)).toMatchObject({ backend: { backend_id: 'bkd_2' }, compression: {} });
  serveAgain();
  watch.write(before);
  const { pending } = await watch.rests();
  expect(pending).toEqual([]);
  expect(watch.spec(route)).toMatchObject({ backend: { backend_id: 'bkd_1' }, compression: {} });
});

const shop = (route: string) => edge(`backend: {backend_id: bkd_1}, ${route}`);

/** A service that shows a text otherwise than it is. */
function showing({ emulator }: Pick<Harness, 'emulator'>, text: string, instead: string): void {
  emulator.intercept(async (_exchange, next) => {
    const answer = await next();
    return { ...answer, body: answer.body.replaceAll(text, instead) };
  });
}

test.each([
  ['a limit that the service fills in', 'circuit_breaker: {}', '"rolling_window":10', '"rolling_window":1800'],
  ['a text that the service rewrites', 'description: Front door', 'Front door', 'FRONT DOOR'],
])('is no drift in %s', async (_, added, text, instead) => {
  const walk = harness();
  showing(walk, text, instead);
  await walk.converge(shop('compression: {}'));
  const { plan } = await walk.plan(shop(added));
  const serveAgain = keepingAll(walk);
  await walk.apply(plan);
  serveAgain();
  const { plan: again } = await walk.plan(shop(added));
  expect(again.changes.flatMap(({ fields }) => fields)).toMatchObject([{ path: ['compression'], reason: 'changed' }]);
  await walk.converge(shop(added));
});

test('is not taken for filled in where the service keeps a limit that is to be removed', async () => {
  const walk = harness();
  await walk.converge(shop('compression: {}, circuit_breaker: {rolling_window: 1800}'));
  showing(walk, '"rolling_window":10', '"rolling_window":1800');
  await walk.apply((await walk.plan(shop('circuit_breaker: {}'))).plan);
  expect(walk.state()?.entries[route]?.filledIn).toBeUndefined();
});

test('does not record that a text is empty which the service did not clear', async () => {
  const walk = harness({ service: { emptyRouteFields: 'kept' } });
  await walk.converge(shop('description: Front door, compression: {}'));
  const { changes } = await walk.apply((await walk.plan(shop(''))).plan);
  expect(changes).toMatchObject([{ address: route, code: 'FIELD_NOT_CLEARED', partiallyApplied: true }]);
  expect(walk.state()?.entries[route]?.spec).toMatchObject({ description: 'Front door' });
});
