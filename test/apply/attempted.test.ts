/*
 * A request whose response is lost, or whose run is killed. The resource is as before, or as the request has it: neither is
 * somebody else's change, also if the commit is reverted then.
 */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/emulator.ts';
import { asSomebody } from '../support/as-somebody.ts';
import { harness, type Harness } from '../support/harness.ts';
import { shopWith } from '../support/shop-edge.ts';
import { rig } from '../watch/rig.ts';

const edge = (route: string) =>
  shopWith(`{name: all, match_type: path_prefix, match: /, backend: {backend_id: bkd_1}, ${route}}`);
const closed = edge('response_headers: {add: {x-a: one}}, ip_restriction: {ip_policy_ids: [ipp_1]}');
const opened = edge('response_headers: {add: {x-a: two, x-b: b}}, compression: {}');
const route = 'HTTPSEdgeRoute/shop:all';

/** A service that carries out updates, and answers none. */
function answeringNothing({ emulator }: { readonly emulator: Pick<Emulator, 'intercept'> }): () => void {
  return emulator.intercept(async ({ method }, next) => {
    if (method === 'GET') return next();
    await next();
    return { status: 500, headers: {}, body: '{"msg": "trouble"}' };
  });
}

async function withLostUpdate(): Promise<Harness> {
  const walk = harness();
  await walk.converge(closed);
  const { plan } = await walk.plan(opened);
  const answerAgain = answeringNothing(walk);
  const { changes } = await walk.apply(plan);
  answerAgain();
  expect(changes).toMatchObject([{ address: route, ending: 'unknown' }]);
  return walk;
}

describe('an update whose response was lost', () => {
  test('is no drift once it is reverted', async () => {
    const walk = await withLostUpdate();
    const { plan } = await walk.converge(closed);
    const { fields = [] } = plan.changes.find(({ address }) => address === route) ?? {};
    expect(fields.length).toBeGreaterThan(1);
    expect(new Set(fields.map(({ reason }) => reason))).toEqual(new Set(['changed']));
    expect(walk.state()?.entries[route]).not.toHaveProperty('attempted');
  });

  test.each([500, 400])('is no drift either if the request that reverts it is not carried out (%d)', async (status) => {
    const walk = await withLostUpdate();
    const { plan } = await walk.plan(closed);
    const end = walk.emulator.intercept(({ method }, next) =>
      method === 'GET' ? next() : { status, headers: {}, body: '{"msg": "trouble"}' },
    );
    await walk.apply(plan);
    end();
    const { plan: again } = await walk.converge(closed);
    const { fields = [] } = again.changes.find(({ address }) => address === route) ?? {};
    expect(fields.length).toBeGreaterThan(1);
    expect(new Set(fields.map(({ reason }) => reason))).toEqual(new Set(['changed']));
  });

  test('is no drift of the ownership marker', async () => {
    const walk = harness();
    const named = (lifecycle: string) => ({
      'stack.yaml': `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: a}\nlifecycle: {${lifecycle}}\nspec: {region: eu}\n`,
    });
    await walk.converge(named('protect: false'));
    const { plan } = await walk.plan(named('protect: true'));
    const answerAgain = answeringNothing(walk);
    await walk.apply(plan);
    answerAgain();
    const { plan: reverted } = await walk.converge(named('protect: false'));
    expect(reverted.changes).toMatchObject([{ action: 'update', markerOnly: true }]);
    expect(reverted.changes[0]).not.toHaveProperty('markerDrifted');
  });

  test('does not hide what somebody else changes afterwards', async () => {
    const walk = await withLostUpdate();
    const { id = '', parent = '' } = walk.state()?.entries[route] ?? {};
    const response_headers = { add: { 'x-a': 'theirs' } };
    await asSomebody(walk, 'PATCH', `/edges/https/${parent}/routes/${id}`, { response_headers });
    const { plan } = await walk.plan(closed);
    const { fields = [] } = plan.changes.find(({ address }) => address === route) ?? {};
    const drifted = fields.filter(({ reason }) => reason === 'drifted');
    expect(drifted.map(({ path }) => path.join('.'))).toEqual(['response_headers.add.x-a']);
  });

  test('is recorded while it is under way, and no longer once it is refused', async () => {
    const walk = harness();
    await walk.converge(closed);
    const { plan } = await walk.plan(opened);
    walk.emulator.intercept(async ({ method }, next) => {
      if (method === 'GET') return next();
      await setTimeout(5);
      return { status: 400, headers: {}, body: '{"msg": "not this time"}' };
    });
    const seen: unknown[] = [];
    await walk.apply(plan, {
      save: (state) => {
        seen.push(state.entries[route]?.attempted?.[0]?.['response_headers'] ?? 'nothing');
        return Promise.resolve();
      },
    });
    expect(seen).toEqual([{ add: { 'x-a': 'two', 'x-b': 'b' } }, 'nothing']);
  });

  test('is taken back by a watch that reverts nothing of others', async () => {
    const watch = rig(closed, { healDrift: false });
    await watch.rests();
    const answerAgain = answeringNothing(watch.account);
    watch.write(opened);
    await watch.rests();
    expect(watch.spec(route)).toMatchObject({ compression: {} });
    watch.write(closed);
    answerAgain();
    const { pending } = await watch.rests();
    expect(pending).toEqual([]);
    expect(watch.spec(route)).toMatchObject({ ip_restriction: {} });
  });
});
