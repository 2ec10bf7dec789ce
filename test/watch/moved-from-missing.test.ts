/* What a watch does about a revision that goes back across a rename, without `moved_from`. */
import { expect, test } from 'vitest';
import { shopEdge as edge } from '../support/shop-edge.ts';
import { rig } from './rig.ts';

const address = (description: string): string =>
  `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: x}\nspec: {region: eu, description: ${description}}\n`;

test.each([true, false])(
  'it deletes and creates nothing of it with prune %s, applies the rest, and renames once moved_from is there',
  async (prune) => {
    const watch = rig({ 'a.yaml': edge('a'), 'x.yaml': address('one') }, { applyOnChange: true, prune });
    await watch.rests();
    watch.write({ 'a.yaml': edge('b', 'moved_from: HTTPSEdge/a'), 'x.yaml': address('one') });
    await watch.rests();
    const ids = (): string[] => watch.account.emulator.snapshot().resources.map(({ id }) => id);
    const before = ids();
    watch.write({ 'a.yaml': edge('a'), 'x.yaml': address('two') });
    await watch.rests();
    await watch.pass(700_000);
    const { pending } = await watch.rests();
    expect(pending.filter(({ reason }) => reason === 'plan-error').map(({ address }) => address)).toEqual([
      'HTTPSEdge/a',
      'HTTPSEdge/b',
      'HTTPSEdgeRoute/b:root',
    ]);
    expect(watch.spec('ReservedAddr/x')).toMatchObject({ description: 'two' });
    expect(ids()).toEqual(before);
    watch.write({ 'a.yaml': edge('a', 'moved_from: HTTPSEdge/b'), 'x.yaml': address('two') });
    expect((await watch.rests()).pending).toEqual([]);
    expect(ids()).toEqual(before);
    expect(watch.spec('HTTPSEdge/a')).toBeDefined();
  },
);
