/*
 * Law 8, Order does not matter: file names, document order, key order and set order change nothing.
 *
 * Broken on purpose in a copy, and found here: sets compared in the order they are written; the reason of a trade naming the last hostport written.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { pathText } from '../../src/derive/wire/operations.ts';
import type { Field, Fields } from '../../src/kinds/kind.ts';
import { kinds } from '../../src/kinds/index.ts';
import { Ref } from '../../src/kinds/value.ts';
import { isEmptyPlan, type Plan } from '../../src/model/plan/plan.ts';
import { isMapping, type Item, type Written, type WrittenObject } from '../generators/item.ts';
import { withValueReferences } from '../generators/value-references.ts';
import { harness, printed } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import type { ManifestFiles } from '../support/load-text.ts';
import { documentsOf } from '../support/manifest-text.ts';
import { sampleSize } from '../support/samples.ts';
import { asScenario, edited, files, profiles, type EditedStack } from './cases.ts';

test.each(profiles)('law 8, under %s: manifests in another order make the same plan', async (profile) => {
  await mustHold({
    on: fc.record({ stacks: edited(profile).map(withReferences), seed: fc.nat() }),
    runs: sampleSize(8, 20),
    scenario: ({ stacks }) => asScenario(profile, stacks.before, stacks.after),
    holds: async ({ stacks: { before, after }, seed }) => {
      const walk = harness({ profile });
      await walk.converge(files(before));
      const { plan } = await walk.plan(files(after));
      const other = await walk.plan(reordered(after, seed));
      expect(inOrder(other.plan)).toEqual(inOrder(plan));
      await walk.apply(plan);
      const again = await walk.plan(reordered(after, seed + 1));
      expect(isEmptyPlan(again.plan), printed(again.plan)).toBe(true);
    },
  });
});

function withReferences({ before, after }: EditedStack): EditedStack {
  return { before: withValueReferences(before, kinds), after: withValueReferences(after, kinds) };
}

/** All that matters of a plan; lists as sets, for those of a request body are in the order of the manifest. */
function inOrder({ changes, steps, hazards }: Plan): unknown {
  return sorted([
    changes.map(({ address, action, fields }) => ({ address, action, fields })),
    steps.map(({ id, request, dependsOn }) => ({
      id,
      path: pathText(request.path),
      body: request.body ?? {},
      after: dependsOn,
    })),
    hazards.map(({ code, address }) => ({ code, address })),
    steps.map(({ id }, index) => `${index} ${id}`),
  ]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(sorted(item))).sort();
  const plain: unknown = value instanceof Ref ? value.toJSON() : value;
  if (typeof plain !== 'object' || plain === null) return plain;
  const entries = Object.entries(plain).map(([key, inner]): [string, unknown] => [key, sorted(inner)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The same manifests, each in a file of its own, in another order, every mapping and every set turned around. */
function reordered(items: readonly Item[], seed: number): ManifestFiles {
  const children = [...items].reverse();
  const documents = documentsOf(children, kinds);
  return Object.fromEntries(
    documents.map((document, index) => {
      const spec = isMapping(document['spec']) ? document['spec'] : {};
      const kind = kinds.all.find(({ name }) => name === document['kind']);
      const turned = kind === undefined ? spec : turnedAround(kind.fields, spec);
      const again = Object.fromEntries(Object.entries({ ...document, spec: turned }).reverse());
      return [
        `${((index + 1) * 7919 + seed) % 104_729}-${index}.yaml`,
        stringify(again, { lineWidth: 0, aliasDuplicateObjects: false }),
      ];
    }),
  );
}

function turnedAround(fields: Fields, spec: WrittenObject): WrittenObject {
  const turned = Object.entries(spec).map(([name, value]): [string, Written] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [name, field === undefined ? value : turnedValue(field, value)];
  });
  return Object.fromEntries(turned.reverse());
}

function turnedValue(field: Field, value: Written): Written {
  if (field.is === 'group' && isMapping(value)) return turnedAround(field.fields, value);
  if (field.is === 'dict' && isMapping(value)) return Object.fromEntries(Object.entries(value).reverse());
  return field.is === 'list' && Array.isArray(value) ? [...(value as readonly Written[])].reverse() : value;
}
