/*
 * Law 1 for values that resources take from others: after an apply the plan is empty, and what was taken is what the other has.
 *
 * Broken on purpose, and found here: values of resources that are replaced taken from the old ones.
 */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { actualValue } from '../../src/derive/wire/actual-value.ts';
import { addressOf } from '../../src/model/address.ts';
import { kinds } from '../../src/kinds/index.ts';
import { isMapping, type Item } from '../generators/item.ts';
import { withValueReferences } from '../generators/value-references.ts';
import { harness } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import { sampleSize } from '../support/samples.ts';
import { asScenario, edited, files, profiles } from './cases.ts';

test.each(profiles)(
  'law 1, under %s: what is taken from another resource is what it has in the end',
  async (profile) => {
    let taken = 0;
    await mustHold({
      on: edited(profile).map(({ before, after }) => ({
        before: withValueReferences(before, kinds),
        after: withValueReferences(after, kinds),
      })),
      runs: sampleSize(6, 15),
      scenario: ({ before, after }) => asScenario(profile, before, after),
      holds: async ({ before, after }) => {
        const walk = harness({ profile });
        for (const items of [before, after, after.map(replaced)]) {
          const { account } = await walk.converge(files(items));
          for (const { user, target, field } of references(items)) {
            const [has, other] = [account.ours.get(user), account.ours.get(target)];
            expect(has?.spec['description']).toEqual(other === undefined ? 'missing' : actualValue(other, field));
            taken += 1;
          }
        }
      },
    });
    expect(taken).toBeGreaterThan(40);
  },
);

/** The item with another word in its immutable fields, so that it is replaced. */
function replaced(item: Item): Item {
  const fields = Object.entries(kinds.named(item.kind)?.fields ?? {});
  const changed = fields.flatMap(([name, of]): [string, string][] => {
    if (of.is !== 'leaf' || of.lifecycle !== 'immutable' || !(of.schema instanceof z.ZodEnum)) return [];
    const words = of.schema.options.map(String);
    return [[name, words.find((word) => word !== (item.spec[name] ?? of.default)) ?? '']];
  });
  return { ...item, spec: { ...item.spec, ...Object.fromEntries(changed) } };
}

/** Who takes what from whom; of nested resources only those at the top can be found by name. */
function references(
  items: readonly Item[],
): { readonly user: string; readonly target: string; readonly field: string }[] {
  return items.flatMap(({ kind, name, parent, spec: { description } }) => {
    if (name === undefined || parent !== undefined || !isMapping(description)) return [];
    const { ref, field } = description;
    return typeof ref === 'string' && typeof field === 'string'
      ? [{ user: addressOf(kind, name), target: ref, field }]
      : [];
  });
}
