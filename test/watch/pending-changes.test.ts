import { expect, test } from 'vitest';
import type { DesiredStack } from '../../src/model/resource.ts';
import { atOnce } from '../../src/model/sliced.ts';
import { DesiredHashes } from '../../src/watch/decide/desired-hashes.ts';
import type { HeldBackChange } from '../../src/watch/decide/select-applicable.ts';
import { PendingChanges } from '../../src/watch/pending-changes.ts';
import { planOf } from '../plan/support.ts';

const [shop, api] = ['HTTPSEdge/shop', 'HTTPSEdge/api'];
const plan = planOf({ wanted: {} });
const held = (address: string, more: Partial<HeldBackChange> = {}): HeldBackChange => ({
  ...{ address, action: 'update', reason: 'manual', message: 'heal_drift is off', hazards: [], ...more },
});

/** The pending changes of a watch, in time that passes when the test lets it. */
function watched() {
  const log: string[] = [];
  let now = 0;
  const hashes = new DesiredHashes();
  const pending = new PendingChanges(
    { now: () => now, log: (_level, _event, message) => void log.push(message) },
    hashes,
  );
  const want = (address: string, description: string): void => {
    const resources = [{ address, spec: { description }, lifecycle: {} }] as unknown as DesiredStack['resources'];
    atOnce(hashes.update({ resources, diagnostics: [], complete: true }, (text) => text));
  };
  return { pending, log, want, later: () => void (now += 10) };
}

const since = ({ all }: PendingChanges): readonly unknown[] => all.map((one) => [one.address, one.since]);

test('a change is pending since it was first pending for its reason, whatever the message says', () => {
  const { pending, later } = watched();
  pending.set([held(shop), held(api)], plan, undefined);
  later();
  pending.set([held(shop, { message: 'another number' }), held(api, { reason: 'approval' })], plan, undefined);
  expect(since(pending)).toEqual([
    [shop, 0],
    [api, 10],
  ]);
  pending.set([held(shop, { since: 3 })], plan, undefined);
  expect(since(pending)).toEqual([[shop, 3]]);
});

test('what becomes pending later is added, and shown with what it would change', () => {
  const { pending, later } = watched();
  pending.set([held(shop)], plan, undefined);
  later();
  pending.add([held(api)], plan, undefined);
  pending.add([], plan, undefined);
  expect(since(pending)).toEqual([
    [shop, 0],
    [api, 10],
  ]);
  expect(pending.all[1]).toEqual({ ...held(api), details: '', fields: [], since: 10 });
});

test('a change is logged when it is new or waits for something else, and not each time', () => {
  const { pending, log } = watched();
  for (let turn = 0; turn < 2; turn++) pending.set([held(shop)], plan, undefined);
  expect(log).toEqual([`${shop} requires a manual apply: heal_drift is off`]);
  pending.set([held(shop, { message: 'renewal is due' })], plan, undefined);
  pending.set([held(shop, { reason: 'approval', message: 'renewal is due' })], plan, undefined);
  expect(log.slice(1)).toEqual([
    `${shop} requires a manual apply: renewal is due`,
    `${shop} requires approval: renewal is due`,
  ]);
  pending.clear();
  expect(pending.all).toEqual([]);
  pending.set([held(shop)], plan, undefined);
  expect(log).toHaveLength(4);
});

test('a change of the manifests has the revision that brought it, until another process may have been the leader', () => {
  const { pending } = watched();
  const change = held(shop, { cause: 'revision' });
  const introduced = (): unknown => pending.all[0]?.introduced;
  pending.set([], plan, { content: 'one' });
  pending.set([change], plan, { content: 'two' });
  expect(introduced()).toEqual({ revision: { content: 'two' }, isExact: true });
  pending.set([change], plan, { content: 'three' });
  expect(introduced()).toEqual({ revision: { content: 'two' }, isExact: true });
  pending.set([change], plan, undefined);
  expect(introduced()).toBeUndefined();
  pending.forgetRevisions();
  pending.set([change], plan, { content: 'three' });
  expect(introduced()).toEqual({ revision: { content: 'three' }, isExact: false });
  pending.add([held(api, { cause: 'removal' })], plan, { content: 'three' });
  expect(pending.all[1]?.introduced).toEqual({ revision: { content: 'three' }, isExact: false });
});

test('drift and renewals come from no revision', () => {
  const { pending } = watched();
  pending.set([], plan, { content: 'one' });
  pending.set([held(shop, { cause: 'drift' }), held(api, { cause: 'renewal' })], plan, { content: 'two' });
  expect(pending.all.map(({ introduced }) => introduced)).toEqual([undefined, undefined]);
});

test('a change whose manifest has changed again has the later revision', () => {
  const { pending, want } = watched();
  const change = held(shop, { cause: 'revision' });
  const introduced = (): unknown => pending.all.at(-1)?.introduced?.revision.content;
  want(shop, 'one');
  pending.set([change], plan, { content: 'one' });
  want(shop, 'two');
  pending.set([change], plan, { content: 'two' });
  expect(introduced()).toBe('two');
  want(shop, 'three');
  pending.add([change], plan, { content: 'three' });
  expect(introduced()).toBe('three');
  pending.set([change], plan, { content: 'four' });
  expect(introduced()).toBe('three');
});
