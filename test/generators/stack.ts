import fc, { type Arbitrary } from 'fast-check';
import type { Kind, KindSet } from '../../src/kinds/kind.ts';
import type { Item } from './item.ts';
import { mend } from './mend.ts';
import { names } from './pools.ts';
import { anySpec } from './spec.ts';

/** Valid stacks: up to three resources of every kind, and up to six nested ones. */
export function anyStack(kinds: KindSet): Arbitrary<readonly Item[]> {
  const ofEach = kinds.all.map((kind) =>
    fc.array(anyItem(kind, kinds), { maxLength: kind.within === undefined ? 3 : 6, size: 'max' }),
  );
  return fc.tuple(...ofEach).map((items) => mend(housed(items.flat(), kinds), kinds));
}

/** Whoever lives in something that is not there moves in with the first that is. */
function housed(items: readonly Item[], kinds: KindSet): Item[] {
  return items.map((item) => {
    const homes = items.filter(({ kind }) => kind === kinds.named(item.kind)?.within?.kind);
    const home = homes[0]?.name;
    return home === undefined || homes.some(({ name }) => name === item.parent) ? item : { ...item, parent: home };
  });
}

/** One resource of a kind, with a name and, if it lives in another, the name of that. */
export function anyItem(kind: Kind, kinds: KindSet): Arbitrary<Item> {
  const { within } = kind;
  const spec = anySpec(kind.fields, kinds, {
    without: within === undefined ? [] : [within.by],
    often: [kind.traffic?.listens ?? []].flat(),
  });
  const protect = kind.protectedBecause === undefined ? {} : { protect: false };
  if (within === undefined)
    return fc
      .record({ name: fc.constantFrom(...names), spec })
      .map((item): Item => ({ ...item, ...protect, kind: kind.name, form: 'inside' }));
  return fc
    .record(
      {
        name: fc.constantFrom('front', 'back'),
        parent: fc.constantFrom(...names),
        spec,
        form: fc.constantFrom('inside' as const, 'alone' as const),
      },
      { requiredKeys: ['parent', 'spec', 'form'] },
    )
    .map((item): Item => ({ ...item, ...protect, kind: kind.name }));
}
