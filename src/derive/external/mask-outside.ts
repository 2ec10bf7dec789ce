/*
 * What the service shows of a field whose value came from outside comes back in every answer. It is masked by its
 * place: where the manifest takes the value from outside, or state remembers that it did. A text is never searched for.
 * Items of a list have no place of their own: in a list with a value from outside, every item is masked that is not
 * known to be a plain one.
 */
import type { Dict, Field, Fields, List } from '../../kinds/kind.ts';
import {
  isSpecObject,
  OutsideValue,
  Secret,
  type SecretOrigin,
  type SpecObject,
  type SpecValue,
} from '../../kinds/value.ts';
import { someInside } from '../../kinds/leaves.ts';
import type { Entry, StateObject, StateValue } from '../../model/state.ts';
import { canonicalKey, normalize } from '../canonical.ts';
import { knownOf, originInState } from '../stored/from-state.ts';

type KnownValue = SpecValue | StateValue | undefined;

/** The actual fields of a resource, masked wherever `known`, a desired or remembered spec, has a value from outside. */
export function maskOutside(fields: Fields, actual: SpecObject, known: SpecObject | StateObject): SpecObject {
  return someInside(known, isFromOutside) ? maskFields(fields, actual, known) : actual;
}

/** Whether an entry in state remembers a value from outside. */
export function remembersOutside(entry: Entry): boolean {
  return someInside(entry.spec, isFromOutside) || someInside(entry.unclearedFields, isFromOutside);
}

/** The same wherever the entry of a resource in state, if it has one, remembers a value from outside. */
export function maskRecorded(fields: Fields, actual: SpecObject, entry: Entry | undefined): SpecObject {
  if (entry === undefined) return actual;
  return knownOf(entry).reduce<SpecObject>((masked, known) => maskOutside(fields, masked, known), actual);
}

function maskFields(fields: Fields, actual: SpecObject, known: SpecObject | StateObject): SpecObject {
  return Object.fromEntries(
    Object.entries(actual).map(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return [name, field === undefined ? value : maskField(field, value, known[name])];
    }),
  );
}

function maskField(field: Field, value: SpecValue, known: KnownValue): SpecValue {
  if (value === null || known === undefined || known === null) return value;
  if (field.is === 'leaf') return maskLeaf(value, originOf(known));
  if (field.is === 'list') return Array.isArray(value) && Array.isArray(known) ? maskList(field, value, known) : value;
  if (!isSpecObject(value) || !isSpecObject(known)) return value;
  return field.is === 'group' ? maskFields(field.fields, value, known) : maskDict(field, value, known);
}

function maskLeaf(value: SpecValue, origin: SecretOrigin | undefined): SpecValue {
  if (origin === undefined || value === '' || value instanceof Secret) return value;
  return typeof value === 'object' ? value : new OutsideValue(String(value), origin);
}

function maskList({ of }: List, value: readonly SpecValue[], known: readonly KnownValue[]): SpecValue {
  if (of.is === 'group')
    return value.map((item) => known.reduce<SpecValue>((masked, other) => maskField(of, masked, other), item));
  const origins = known.flatMap((item) => originOf(item) ?? []);
  const [first] = origins;
  if (first === undefined) return value;
  const plain = new Set(known.flatMap((item) => (typeof item === 'string' ? canonicalKey(of, item) : [])));
  const from = new Map(
    known.flatMap((item) => (item instanceof OutsideValue ? [[canonicalKey(of, item), item.origin]] : [])),
  );
  return value.map((item) =>
    plain.has(canonicalKey(of, item)) ? item : maskLeaf(item, from.get(canonicalKey(of, item)) ?? first),
  );
}

function maskDict({ key, of }: Dict, value: SpecObject, known: { readonly [key: string]: KnownValue }): SpecValue {
  const spelled = new Map(Object.entries(known).map(([name, item]) => [String(normalize(key, name)), item]));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, maskField(of, item, spelled.get(String(normalize(key, name))))]),
  );
}

function isFromOutside(value: object): boolean {
  return originOf(value as KnownValue) !== undefined;
}

function originOf(known: KnownValue): SecretOrigin | undefined {
  return known instanceof OutsideValue ? known.origin : originInState(known);
}
