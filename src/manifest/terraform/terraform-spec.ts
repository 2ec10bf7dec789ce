import { isIdentifying } from '../../kinds/is-identifying.ts';
import type { Field, Fields, Group, Leaf } from '../../kinds/kind.ts';
import { OutsideValue, Secret, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import { fieldsIn } from '../../derive/field-at.ts';
import { keyedValues } from './terraform-resource.ts';

/** Values of Terraform with their sensitivity: true if a value is sensitive. */
export interface TerraformValue {
  readonly value: unknown;
  readonly sensitive: unknown;
}

/** Takes note of a field that could not be converted, and why. */
export type Note = (field: string, reason: string) => void;

/** The values of Terraform as the spec of a kind or module: a block is a list of at most one, unset is null or empty. Sensitive text is held back like a secret. */
export function terraformSpec(fields: Fields, given: TerraformValue, note: Note, path = ''): SpecObject {
  const values = keyedValues(given.value) ?? {};
  const spec: Record<string, SpecValue> = {};
  for (const [key, value] of Object.entries(values)) {
    const part = { value, sensitive: sensitiveIn(given.sensitive, key) };
    const name = nameOf(key, fields);
    const field = name === undefined ? undefined : fields[name];
    const place = `${path}${key}`;
    if (isUnset(value, field) || field?.lifecycle === 'computed') continue;
    if (name === undefined || field === undefined) {
      const home = path === '' ? homeOf(key, fields) : undefined;
      if (home === undefined) note(place, 'sluice has no field of this name');
      else
        spec[home] = terraformSpec(
          fieldsIn(fields[home]),
          { value: { [key]: value }, sensitive: given.sensitive },
          note,
        );
    } else {
      const converted = spec[name] ?? convert(field, part, note, place);
      if (converted !== undefined) spec[name] = converted;
    }
  }
  return spec;
}

/** A field is called as in requests, or as in answers. */
function nameOf(key: string, fields: Fields): string | undefined {
  return Object.hasOwn(fields, key) ? key : Object.keys(fields).find((name) => fields[name]?.readAs === key);
}

/** The module that a field belongs to which was written beside it, as early forms of the API had it: only one module requires it. */
function homeOf(key: string, fields: Fields): string | undefined {
  const homes = Object.entries(fields).filter(([, field]) => {
    const name = field.is === 'group' ? nameOf(key, field.fields) : undefined;
    return name !== undefined && field.is === 'group' && field.fields[name]?.required !== undefined;
  });
  return homes.length === 1 ? homes[0]?.[0] : undefined;
}

function convert(field: Field, given: TerraformValue, note: Note, path: string): SpecValue | undefined {
  if (field.is === 'group') return convertGroup(field, given, note, path);
  if (field.is === 'leaf') return convertLeaf(field, given, note, path);
  if (field.is === 'dict') {
    const values = keyedValues(given.value);
    if (values === undefined) return wrong('an object', note, path);
    return entries(Object.entries(values), (value, key) =>
      convertLeaf(field.of, { value, sensitive: sensitiveIn(given.sensitive, key) }, note, `${path}.${key}`),
    );
  }
  if (!Array.isArray(given.value)) return wrong('a list', note, path);
  return given.value.flatMap((value: unknown, index): SpecValue[] => {
    const part = { value, sensitive: sensitiveIn(given.sensitive, index) };
    const item = convert(field.of, part, note, `${path}[${String(index)}]`);
    return item === undefined ? [] : [item];
  });
}

function convertGroup(group: Group, given: TerraformValue, note: Note, path: string): SpecValue | undefined {
  const { value, sensitive } = given;
  if (Array.isArray(value) && value.length > 1) return wrong('a single block', note, path);
  const one = Array.isArray(value)
    ? { value: (value[0] as unknown) ?? {}, sensitive: sensitiveIn(sensitive, 0) }
    : given;
  if (keyedValues(one.value) === undefined) return wrong('an object', note, path);
  return terraformSpec(group.fields, one, note, `${path}.`);
}

function convertLeaf(leaf: Leaf, given: TerraformValue, note: Note, path: string): SpecValue | undefined {
  // An id, or what the API answers in the place of one.
  const inner = keyedValues(Array.isArray(given.value) ? given.value[0] : given.value)?.['id'];
  const single = leaf.ref === undefined ? given.value : (inner ?? given.value);
  const value = [single, retyped(single)].find((one) => leaf.schema.safeParse(one).success);
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return wrong('a value of another type than in Terraform', note, path);
  if (leaf.secret === true) return new Secret(String(value));
  // For an unset number, Terraform may have 0.
  const isUnsetNumber = value === 0 && leaf.checks.some(({ test }) => test(value) !== undefined);
  if (given.sensitive !== true) return isUnsetNumber ? undefined : value;
  if (typeof value === 'string' && !isIdentifying(leaf)) return new OutsideValue(value);
  note(
    path,
    'the value is sensitive, so it was not written, and the field accepts no environment variable; if plans may show the value, write it into the manifest',
  );
  return undefined;
}

/** A map of Terraform holds one type only, so a number or a flag may be there as text. */
function retyped(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  if (value === 'true' || value === 'false') return value === 'true';
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** The sensitivity of a value inside another. */
export function sensitiveIn(sensitive: unknown, key: string | number): unknown {
  if (sensitive === true) return true;
  return Array.isArray(sensitive) ? (sensitive as readonly unknown[])[Number(key)] : keyedValues(sensitive)?.[key];
}

function entries(
  all: readonly (readonly [string, unknown])[],
  to: (value: unknown, key: string) => SpecValue | undefined,
): SpecObject {
  return Object.fromEntries(
    all.flatMap(([key, value]): [string, SpecValue][] => {
      const converted = to(value, key);
      return converted === undefined ? [] : [[key, converted]];
    }),
  );
}

function wrong(what: string, note: Note, path: string): SpecValue | undefined {
  note(path, `the field requires ${what}`);
  return undefined;
}

/** What Terraform holds of an attribute or block that nobody has set. */
function isUnset(value: unknown, field: Field | undefined): boolean {
  const mayBeEmpty = field?.is === 'list' && field.required !== undefined;
  return value === null || value === '' || (Array.isArray(value) && value.length === 0 && !mayBeEmpty);
}
