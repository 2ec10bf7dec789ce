import { namedFields } from '../kinds/named-fields.ts';
import type { Comparison, Dict, Field, Fields, Leaf, List } from '../kinds/kind.ts';
import { isSpecObject, Ref, Secret, type SpecValue } from '../kinds/value.ts';
import type { StateValue } from '../model/state.ts';
import { objectInOrder } from './sorted-json.ts';
import { spellings } from './spelling/spelling.ts';

/** A value as far as it matters: two values mean the same exactly when their canonical forms are the same text once printed. Null: unset. */
export type Canonical = null | boolean | number | string | readonly Canonical[] | { readonly [key: string]: Canonical };

/** How secrets are compared: by text if both sides are available, or by digest if one side comes from state. */
export type SecretForm = (text: string) => string;

/** Compares secrets by their text. */
export function asText(text: string): string {
  return text;
}

type Value = SpecValue | StateValue | undefined;

/** Whether two values of a field mean the same to the service. */
export function semanticEquals(field: Field, a: Value, b: Value, secretForm: SecretForm): boolean {
  if (isSameText(a, b)) return true;
  return JSON.stringify(canonical(field, a, secretForm)) === JSON.stringify(canonical(field, b, secretForm));
}

/** Whether two plain values are the same as they are written, which is what most are: no need to ask what they mean. */
export function isSameText(a: Value, b: Value): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return (a ?? null) === (b ?? null);
  if (Array.isArray(a))
    return (
      Array.isArray(b) && a.length === b.length && a.every((item: Value, index) => isSameText(item, b[index] as Value))
    );
  if (!isSpecObject(a) || !isSpecObject(b) || isDigest(a)) return false;
  // Without lists of keys: every value of a plan comes by here.
  for (const key in a) if (!Object.hasOwn(b, key) || !isSameText(a[key], b[key])) return false;
  for (const key in b) if (!Object.hasOwn(a, key)) return false;
  return true;
}

/** What a value of a field means, as a key for look-ups: the same text for values that mean the same. */
export function canonicalKey(field: Field, value: SpecValue | undefined): string {
  return JSON.stringify(canonical(field, value, asText));
}

/** The key of a value that is not set, or empty. */
export const unsetKey = 'null';

/** The canonical form of a value of a field, desired, actual or remembered. */
export function canonical(field: Field, value: Value, secretForm: SecretForm): Canonical {
  if (value === undefined || value === null) return null;
  if (field.is === 'leaf') return canonicalLeaf(field, value, secretForm);
  if (field.is === 'list') return canonicalList(field, value, secretForm);
  if (field.is === 'dict') return canonicalDict(field, value, secretForm);
  return isSpecObject(value) ? canonicalGroup(field.fields, value, secretForm) : null;
}

/** Whether a value of a leaf means the same as leaving it out. */
export function isUnsetValue(leaf: Leaf, value: Value): boolean {
  return canonical(leaf, value, () => 'set') === null;
}

function canonicalGroup(fields: Fields, group: { readonly [key: string]: Value }, secretForm: SecretForm): Canonical {
  const set: Record<string, Canonical> = {};
  for (const { name, field } of namedFields(fields)) {
    const value = field.lifecycle === 'computed' ? null : canonical(field, group[name], secretForm);
    if (value !== null) set[name] = value;
  }
  return set;
}

function canonicalLeaf(leaf: Leaf, value: NonNullable<Value>, secretForm: SecretForm): Canonical {
  if (value instanceof Ref) return `\0ref ${value.to}${value.field === undefined ? '' : ` ${value.field}`}`;
  if (value instanceof Secret) return canonicalSecret(leaf, value, secretForm);
  if (isSpecObject(value)) return isDigest(value) ? value.secret : JSON.stringify(value);
  if (typeof value === 'object') return null;
  const plain = normalize(leaf, value);
  const isPlain = (other: string | number | boolean): boolean => normalize(leaf, other) === plain;
  const isUnset =
    plain === '' || (leaf.default !== undefined && isPlain(leaf.default)) || leaf.alsoUnset?.some(isPlain);
  return isUnset === true ? null : plain;
}

/** The text of a plain field is brought into one spelling before it becomes a digest, so that it equals its plain form. */
function canonicalSecret(leaf: Leaf, value: Secret, secretForm: SecretForm): Canonical {
  if (value.reveal() === '') return null;
  if (leaf.secret === true) return secretForm(value.reveal());
  const plain = canonicalLeaf(leaf, value.reveal(), secretForm);
  return plain === null ? null : secretForm(typeof plain === 'object' ? JSON.stringify(plain) : String(plain));
}

function canonicalList(list: List, value: NonNullable<Value>, secretForm: SecretForm): Canonical {
  if (!Array.isArray(value) || value.length === 0) return null;
  const items = value.map((item) => JSON.stringify(canonical(list.of, item as Value, secretForm)));
  return list.order === 'set' ? [...new Set(items)].sort() : items;
}

function canonicalDict(dict: Dict, value: NonNullable<Value>, secretForm: SecretForm): Canonical {
  if (!isSpecObject(value) || Object.keys(value).length === 0) return null;
  const entries = Object.entries(value).map(([key, item]): [string, Canonical] => [
    String(normalize(dict.key, key)),
    // An entry that is there counts, even where its text is empty.
    canonical({ ...dict.of, default: undefined }, item, secretForm) ?? '',
  ]);
  return objectInOrder(entries);
}

/** One spelling for all spellings of a scalar that the service takes as the same. */
export function normalize(leaf: Pick<Leaf, 'compare'>, value: string | number | boolean): string | number | boolean {
  if (typeof value === 'string') return spelled(leaf.compare, value);
  return typeof value === 'number' && leaf.compare === 'single' ? Math.fround(value) : value;
}

// Wanted, actual and applied texts are mostly equal, and come one after the other.
const lastSpelled = new Map<Comparison, { readonly text: string; readonly form: string | number }>();

function spelled(comparison: Comparison, text: string): string | number {
  if (comparison === 'exact') return text;
  const last = lastSpelled.get(comparison);
  if (last?.text === text) return last.form;
  const form = spellings[comparison].of(text);
  lastSpelled.set(comparison, { text, form });
  return form;
}

function isDigest(value: { readonly [key: string]: Value }): value is { readonly secret: string } {
  return typeof value['secret'] === 'string';
}
