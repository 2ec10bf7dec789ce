import fc, { type Arbitrary } from 'fast-check';
import * as z from 'zod';
import type { Dict, Field, Fields, Group, Leaf, List, KindSet } from '../../src/kinds/kind.ts';
import { reference, type Written, type WrittenObject } from './item.ts';
import { byFormat, externals, instants, names, plainTexts, secrets } from './pools.ts';

/** Specs that fields allow one by one; rules between fields are kept by `mend`. What leads traffic to a backend is there more often than not. */
export function anySpec(
  fields: Fields,
  kinds: KindSet,
  { without = [], often = [] }: { readonly without?: readonly string[]; readonly often?: readonly string[] } = {},
): Arbitrary<WrittenObject> {
  const writable = Object.entries(fields).filter(
    ([name, field]) => field.lifecycle !== 'computed' && !without.includes(name),
  );
  const required = writable.filter(([, field]) => field.required !== undefined).map(([name]) => name);
  const optional = writable.filter(([, field]) => field.required === undefined).map(([name]) => name);
  const all = Object.fromEntries(writable.map(([name, field]) => [name, anyValue(field, kinds)]));
  const controls = optional.filter((name) => isAccessControl(fields[name]));
  const likely = optional.filter((name) => often.includes(name) || isUpstream(fields[name]));
  // Few optional fields at a time: stacks stay readable, and every field is met in some of them.
  return fc
    .tuple(
      fc.subarray(optional, { maxLength: Math.min(optional.length, 4) }),
      fc.boolean().chain((all) => (all ? fc.constant(likely) : fc.subarray(likely))),
      fc.subarray(controls, { maxLength: Math.min(controls.length, 1) }),
    )
    .chain(([some, more, control]) =>
      fc.record(
        Object.fromEntries(
          [...new Set([...required, ...more, ...control, ...some])].map((name) => [
            name,
            all[name] ?? fc.constant(null),
          ]),
        ),
      ),
    );
}

function isAccessControl(field: Field | undefined): boolean {
  return field?.is === 'group' && (field.accessControl ?? field.filter) !== undefined;
}

function isUpstream(field: Field | undefined): boolean {
  return field?.is === 'group' && field.upstream === true;
}

/** Values of one field. */
export function anyValue(field: Field, kinds: KindSet): Arbitrary<Written> {
  if (field.is === 'leaf') return anyLeaf(field, kinds);
  if (field.is === 'list') return anyList(field, kinds);
  if (field.is === 'dict') return anyDict(field);
  return anyGroup(field, kinds);
}

function anyGroup(group: Group, kinds: KindSet): Arbitrary<WrittenObject> {
  const oneOnly = group.rules.some(({ code }) => code === 'EXACTLY_ONE_REQUIRED');
  if (!oneOnly) return anySpec(group.fields, kinds);
  return fc.oneof(
    ...Object.entries(group.fields).map(([name, field]) =>
      anyValue(field, kinds).map((value): WrittenObject => ({ [name]: value })),
    ),
  );
}

function anyList(list: List, kinds: KindSet): Arbitrary<Written> {
  const least = list.atLeast?.count ?? (list.required === undefined ? 0 : 1);
  return fc.uniqueArray(anyValue(list.of, kinds), {
    minLength: least,
    maxLength: 3,
    selector: (value) => JSON.stringify(value),
  });
}

function anyDict(dict: Dict): Arbitrary<WrittenObject> {
  return fc
    .uniqueArray(fc.tuple(anyScalar(dict.key).map(String), anyScalar(dict.of)), {
      maxLength: 2,
      selector: ([key]) => key.toLowerCase(),
    })
    .map((entries) => Object.fromEntries(entries));
}

function anyLeaf(leaf: Leaf, kinds: KindSet): Arbitrary<Written> {
  return leaf.ref === undefined ? anyScalar(leaf) : fc.constantFrom(...namesOf(leaf.ref.to, kinds)).map(reference);
}

function anyScalar(leaf: Leaf): Arbitrary<string | number | boolean> {
  const fitting = candidates(leaf).filter(
    (value) => leaf.schema.safeParse(value).success && leaf.checks.every(({ test }) => test(value) === undefined),
  );
  if (fitting.length === 0) throw new Error(`no pool holds a value for: ${leaf.doc}`);
  return fc.constantFrom(...fitting);
}

function namesOf(family: string, kinds: KindSet): readonly string[] {
  return kinds.named(family) === undefined ? (externals[family] ?? []) : names;
}

function candidates(leaf: Leaf): readonly (string | number | boolean)[] {
  if (leaf.secret === true) return secrets;
  if (leaf.format !== undefined) return byFormat[leaf.format];
  if (leaf.schema instanceof z.ZodEnum) return leaf.schema.options.map(String);
  if (leaf.compare === 'instant') return instants;
  return [...plainTexts, 'lower', 'a/b', 60, 90, 0.25, 1, 0, true, false];
}
