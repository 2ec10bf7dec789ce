/*
 * A replacement that deletes the old instance first, and whose run ends before the new one is there: sluice itself has deleted
 * the old one, and nobody else.
 */
import { expect, test } from 'vitest';
import { refusalAnswer, Refusal } from '../../src/emulator/answer.ts';
import { refresh } from '../../src/refresh/refresh.ts';
import { type Harness, harness } from '../support/harness.ts';
import { describedShop } from '../support/shop-edge.ts';
import { rig } from '../watch/rig.ts';

/** A service that creates no edge for now. */
function withoutNewEdges({ emulator }: Pick<Harness, 'emulator'>): () => void {
  return emulator.intercept(({ method, path }, next) =>
    method === 'POST' && path === '/edges/https'
      ? refusalAnswer(new Refusal(400, undefined, 'not this time'), 'op_1')
      : next(),
  );
}

/** A stack whose edge is deleted, and not created again yet. */
async function halfway(): Promise<{ readonly walk: Harness; readonly serveAgain: () => void }> {
  const walk = harness({ profile: 'documented' });
  await walk.converge(describedShop('Shop'));
  const serveAgain = withoutNewEdges(walk);
  const { plan } = await walk.plan(describedShop('Public shop'));
  const { changes } = await walk.apply(plan);
  expect(changes.map(({ ending }) => ending)).toEqual(['failed', 'skipped', 'skipped']);
  return { walk, serveAgain };
}

test('the next plan creates the rest, and does not claim that somebody else deleted anything', async () => {
  const { walk, serveAgain } = await halfway();
  serveAgain();
  const { plan } = await walk.plan(describedShop('Public shop'));
  expect(plan.changes.map(({ action }) => action)).toEqual(['create', 'create', 'create']);
  for (const change of plan.changes) expect(change).not.toHaveProperty('deletedOutside');
  await walk.converge(describedShop('Public shop'));
});

test('the next run is not refused as one of an account that has lost its resources', async () => {
  const { walk } = await halfway();
  const account = await refresh({
    source: { list: () => [], get: () => Promise.resolve(undefined), endpoints: () => Promise.resolve([]) },
    kinds: walk.kinds,
    stack: { name: 'prod', id: '7f3a9c21', profile: 'documented', marker: true },
    state: walk.state(),
    wanted: new Set(['HTTPSEdge', 'HTTPSEdgeRoute']),
    addresses: ['HTTPSEdge/shop', 'HTTPSEdgeRoute/shop:/', 'HTTPSEdgeRoute/shop:/api'],
  });
  expect(account.missing).toEqual([]);
});

test('what the service deleted with the old edge is known as ours if it appears again', async () => {
  const walk = harness({ profile: 'documented' });
  await walk.converge(describedShop('Shop'));
  const before = walk.state()?.entries;
  await walk.converge(describedShop('Public shop'));
  const after = walk.state()?.entries ?? {};
  expect(Object.keys(after).sort()).toEqual(Object.keys(before ?? {}).sort());
  for (const [address, { formerNonces }] of Object.entries(after))
    expect(formerNonces).toEqual([before?.[address]?.nonce]);
});

test('a watch creates the rest, also where it reverts nothing that others do', async () => {
  const watch = rig(describedShop('Shop'), { profile: 'documented', healDrift: false });
  await watch.rests();
  const serveAgain = withoutNewEdges(watch.account);
  watch.write(describedShop('Public shop'));
  await watch.rests();
  expect(watch.spec('HTTPSEdgeRoute/shop:/')).toBeUndefined();
  serveAgain();
  watch.write(describedShop('The public shop'));
  const { pending } = await watch.rests();
  expect(pending).toEqual([]);
  expect(watch.spec('HTTPSEdge/shop')).toMatchObject({ description: 'The public shop' });
  expect(watch.spec('HTTPSEdgeRoute/shop:/api')).toMatchObject({ match: '/api' });
});
