/* What a watch does about a rename without `moved_from` while another manifest is broken. */
import { expect, test } from 'vitest';
import { address } from './company-files.ts';
import { shopEdge } from '../support/shop-edge.ts';
import { rig } from './rig.ts';

test('what had the address before is created a second time neither while another file has an error nor afterwards', async () => {
  const named = (name: string, lifecycle?: string) => ({ 'x.yaml': address(name, 'Sensors', lifecycle), 'y.yaml': '' });
  const watch = rig(named('a'));
  await watch.rests();
  watch.write(named('b', '{moved_from: ReservedAddr/a}'));
  await watch.rests();
  const before = watch.account.emulator.snapshot().resources.map(({ id }) => id);
  watch.write({ ...named('a'), 'y.yaml': 'kind: [' });
  const { pending } = await watch.rests();
  expect(pending).toMatchObject([{ address: 'ReservedAddr/a', action: 'create', reason: 'plan-error' }]);
  const ids = (): string[] => watch.account.emulator.snapshot().resources.map(({ id }) => id);
  expect(ids()).toEqual(before);
  watch.write(named('a'));
  await watch.rests();
  expect(ids()).toEqual(before);
});

test('an edge waits for that with its routes, and the rest is applied', async () => {
  const watch = rig({ 'a.yaml': shopEdge('a'), 'y.yaml': '' });
  await watch.rests();
  watch.write({ 'a.yaml': shopEdge('b', 'moved_from: HTTPSEdge/a'), 'y.yaml': '' });
  await watch.rests();
  watch.write({ 'a.yaml': shopEdge('a'), 'x.yaml': address('mqtt', 'Sensors'), 'y.yaml': 'kind: [' });
  const { pending } = await watch.rests();
  expect(pending.map(({ address: one, reason }) => `${reason} ${one}`)).toEqual([
    'plan-error HTTPSEdge/a',
    'plan-error HTTPSEdgeRoute/a:root',
  ]);
  expect(watch.spec('ReservedAddr/mqtt')).toBeDefined();
  expect(watch.spec('HTTPSEdge/b')).toBeDefined();
});

test('of resources that exchange their names in a cycle none is in force, in whatever files they are', async () => {
  const watch = rig({ 'a.yaml': address('a', 'First'), 'b.yaml': address('b', 'Second') });
  await watch.rests();
  watch.write({
    'a.yaml': address('a', 'Second', '{moved_from: ReservedAddr/b}'),
    'b.yaml': address('b', 'First', '{moved_from: ReservedAddr/a}'),
  });
  const { kept } = await watch.rests();
  expect([watch.spec('ReservedAddr/a'), watch.spec('ReservedAddr/b')]).toMatchObject([
    { description: 'First' },
    { description: 'Second' },
  ]);
  expect(kept?.addresses).toEqual(['ReservedAddr/a', 'ReservedAddr/b']);
});
