/*
 * A process that dies after a resource was deleted, and before that is recorded, or a deletion whose response is lost for good:
 * the next run must know that nobody else has deleted it.
 */
import { describe, expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import type { DesiredStack } from '../../src/model/resource.ts';
import type { State } from '../../src/model/state.ts';
import { refresh } from '../../src/refresh/refresh.ts';
import { type Harness, harness } from '../support/harness.ts';
import { describedShop } from '../support/shop-edge.ts';

const broken = { status: 200, headers: {}, body: '', broken: { how: 'reset' } } as const;

const addresses = ['HTTPSEdge/shop', 'HTTPSEdgeRoute/shop:/', 'HTTPSEdgeRoute/shop:/api'];

/** The stack as the next run finds it, after a process has died once its first deletion was carried out. */
async function diedDeleting(profile: 'documented' | 'completed', next: Record<string, string> | DesiredStack) {
  const walk = harness({ profile });
  await walk.converge(describedShop('Shop'));
  let state: State | undefined = walk.state();
  let isDead = false;
  const revive = walk.emulator.intercept(async ({ method }, carryOut) => {
    if (isDead) return broken;
    isDead = method === 'DELETE';
    const answer = await carryOut();
    return isDead ? broken : answer;
  });
  const { plan } = await walk.plan(next);
  const save = (saved: State): Promise<void> =>
    isDead ? Promise.reject(new Error('the process is gone')) : Promise.resolve(void (state = saved));
  await walk.apply(plan, { save });
  revive();
  return harness({ profile, emulator: walk.emulator, ...(state === undefined ? {} : { state }) });
}

/** What a run finds in an account at a remote service, of which everything is gone. */
function foundGone(walk: Harness) {
  return refresh({
    source: { list: () => [], get: () => Promise.resolve(undefined), endpoints: () => Promise.resolve([]) },
    kinds: walk.kinds,
    stack: { name: 'prod', id: '7f3a9c21', profile: walk.profile, marker: true },
    state: walk.state(),
    wanted: new Set(['HTTPSEdge', 'HTTPSEdgeRoute']),
    addresses,
  });
}

describe('what a run has deleted and not recorded', () => {
  test('is no sign of another account, although it was all that the stack had', async () => {
    const walk = await diedDeleting('documented', describedShop('Public shop'));
    expect((await foundGone(walk)).missing).toEqual(addresses);
  });

  test.each(['Public shop', 'Shop'])(
    'was not deleted outside sluice, for the manifest with %j',
    async (description) => {
      const walk = await diedDeleting('documented', describedShop('Public shop'));
      const { plan } = await walk.plan(describedShop(description));
      expect(plan.changes.map(({ action }) => action)).toEqual(['create', 'create', 'create']);
      for (const change of plan.changes) expect(change).not.toHaveProperty('deletedOutside');
      await walk.converge(describedShop(description));
      for (const entry of Object.values(walk.state()?.entries ?? {})) expect(entry).not.toHaveProperty('deleting');
    },
  );

  test('is only removed from state where the manifests do not have it either', async () => {
    const nothing: DesiredStack = { resources: [], diagnostics: [], complete: true };
    const walk = await diedDeleting('completed', nothing);
    expect((await foundGone(walk)).missing).toEqual(addresses);
    await walk.converge(nothing);
    expect(walk.state()?.entries).toEqual({});
  });
});

test('what was being deleted does not hide that all else is gone from the account', async () => {
  const walk = harness();
  await walk.converge(describedShop('Shop'));
  const known = walk.state();
  const { 'HTTPSEdge/shop': edge, ...routes } = known?.entries ?? {};
  if (known === undefined || edge === undefined) throw new Error('nothing was created');
  const ending = Array.from(
    { length: 6 },
    (_, n) => [`ReservedAddr/a${n}`, { ...edge, kind: 'ReservedAddr', deleting: true as const }] as const,
  );
  const state = { ...known, entries: { 'HTTPSEdge/shop': edge, ...routes, ...Object.fromEntries(ending) } };
  await expect(foundGone(harness({ state }))).rejects.toThrow('3 of the 3 resources');
});

describe('what a run has not deleted', () => {
  const gone = { 'stack.yaml': describedShop('Shop')['stack.yaml'].split('\n').slice(0, -2).join('\n') + '\n' };

  test.each(['status-before=400', 'reset-before'])('is as it was recorded before, after %s', async (fault) => {
    const walk = harness();
    await walk.converge(describedShop('Shop'));
    const before = walk.state()?.entries;
    const end = walk.emulator.intercept(faulty(parseFault(`${fault}@DELETE:HTTPSEdgeRoute:1`)));
    const { plan } = await walk.plan(gone);
    expect((await walk.apply(plan)).changes).toMatchObject([{ action: 'delete' }]);
    end();
    if (fault === 'status-before=400') expect(walk.state()?.entries).toEqual(before);
    await walk.converge(describedShop('Shop'));
    expect(walk.state()?.entries).toEqual(before);
  });

  test('may still be deleted by an earlier request, whose response was lost, though the next one is refused', async () => {
    const walk = harness();
    await walk.converge(describedShop('Shop'));
    for (const fault of ['reset-before', 'status-before=400']) {
      const end = walk.emulator.intercept(faulty(parseFault(`${fault}@DELETE:HTTPSEdgeRoute:1`)));
      await walk.apply((await walk.plan(gone)).plan);
      end();
      expect(walk.state()?.entries['HTTPSEdgeRoute/shop:/api']).toHaveProperty('deleting');
    }
  });

  test('is not deleted where that cannot be recorded', async () => {
    const walk = harness();
    await walk.converge(describedShop('Shop'));
    const { plan } = await walk.plan(gone);
    const { changes, requests } = await walk.apply(plan, { save: () => Promise.reject(new Error('disk full')) });
    expect(changes).toMatchObject([{ ending: 'not-started', code: 'JOURNAL_NOT_WRITTEN' }]);
    expect(requests).toBe(0);
  });
});
