import { namedFieldsWhere } from '../kinds/named-fields.ts';
import type { Field, Fields, Kind, KindSet } from '../kinds/kind.ts';
import { leavesOf, someInside, withLeaves } from '../kinds/leaves.ts';
import {
  isSpecObject,
  Ref,
  Secret,
  type OutputSource,
  type Path,
  type SpecObject,
  type SpecValue,
} from '../kinds/value.ts';
import { emptyList } from '../model/empty.ts';

/** An id that one resource holds of another, by kind. */
export interface ReferencedId {
  readonly path: Path;
  readonly to: string;
  readonly id: string;
}

/** Every address of this stack that a spec, or a body, refers to. */
export function refsIn(value: SpecValue | undefined): string[] {
  return allRefsIn(value).flatMap(({ to, output }) => (output === undefined ? [to] : []));
}

/** Every value of another stack that a spec, or a body, takes. */
export function outputsIn(value: SpecValue | undefined): OutputRef[] {
  return allRefsIn(value).filter((ref): ref is OutputRef => ref.output !== undefined);
}

/** Every address that a spec, or a body, refers to, of this stack and of others. */
export function addressesIn(value: SpecValue | undefined): string[] {
  return allRefsIn(value).map(({ to, output }) => output?.address ?? to);
}

/** A reference to the value of a resource of another stack. */
export type OutputRef = FieldRef & { readonly output: OutputSource };

function allRefsIn(value: SpecValue | undefined, found: Ref[] = []): Ref[] {
  if (typeof value !== 'object' || value === null) return found;
  if (value instanceof Ref) found.push(value);
  else if (Array.isArray(value)) for (const item of value) allRefsIn(item as SpecValue, found);
  else if (isSpecObject(value)) for (const name in value) allRefsIn(value[name], found);
  return found;
}

/** Every reference and every secret that a spec contains. */
export function refsAndSecretsIn(spec: SpecObject): readonly (Ref | Secret)[] {
  const found: (Ref | Secret)[] = [];
  someInside(spec, (value) => {
    if (value instanceof Ref || value instanceof Secret) found.push(value);
    return false;
  });
  return found.length === 0 ? emptyList : found;
}

/** Every address of which a spec, or a body, needs the id. */
export function idRefsIn(value: SpecValue | undefined): string[] {
  return allRefsIn(value).flatMap(({ to, field }) => (field === undefined ? [to] : []));
}

/** Every value of another resource that a spec, or a body, takes, with its place. */
export function fieldRefsIn(value: SpecValue | undefined): { readonly path: Path; readonly ref: FieldRef }[] {
  // Nearly every spec takes none, and places cost more than references.
  if (!someInside(value, isFieldRef)) return [];
  return leavesOf(value ?? null).flatMap(({ path, value: leaf }) => (isFieldRef(leaf) ? [{ path, ref: leaf }] : []));
}

/** A reference to the value of a field. */
export type FieldRef = Ref & { readonly field: string };

/** A spec in which values of other resources are replaced. */
export function replaceFieldRefs<T extends SpecValue>(value: T, valueOf: (ref: FieldRef, path: Path) => SpecValue): T {
  if (!someInside(value, isFieldRef)) return value;
  return withLeaves(value, (leaf, path) => (isFieldRef(leaf) ? valueOf(leaf, path) : leaf)) as T;
}

function isFieldRef(value: unknown): value is FieldRef {
  return value instanceof Ref && value.field !== undefined;
}

/** Every id of something else that an actual spec holds. */
export function idsIn(kind: Pick<Kind, 'fields'>, spec: SpecObject): ReferencedId[] {
  const found: ReferencedId[] = [];
  fromFields(kind.fields, spec, [], found);
  return found;
}

function fromFields(fields: Fields, spec: SpecObject, path: Path, found: ReferencedId[]): void {
  for (const { name, field } of referringFields(fields)) {
    const value = spec[name];
    if (value !== undefined && value !== null) fromField(field, value, path, name, found);
  }
}

function fromField(field: Field, value: SpecValue, above: Path, step: string | number, found: ReferencedId[]): void {
  if (field.is === 'leaf') {
    if (field.ref !== undefined && typeof value === 'string')
      found.push({ path: [...above, step], to: field.ref.to, id: value });
  } else if (field.is === 'list') {
    const path = [...above, step];
    if (Array.isArray(value))
      (value as readonly SpecValue[]).forEach((item, index) => fromField(field.of, item, path, index, found));
  } else if (field.is === 'group' && isSpecObject(value)) fromFields(field.fields, value, [...above, step], found);
}

const referringFields = namedFieldsWhere((field) => familiesOf(field).length > 0);

/** A spec with every Ref to an id that is known replaced by it. */
export function resolveRefs<T extends SpecValue>(value: T, idOf: (address: string) => string | undefined): T {
  if (!someInside(value, (inner) => inner instanceof Ref)) return value;
  return withLeaves(value, (leaf) =>
    leaf instanceof Ref && leaf.field === undefined ? (idOf(leaf.to) ?? leaf) : leaf,
  ) as T;
}

/** The families that kinds refer to and that are no kind themselves: an `External` gives their ids a name. */
export function externalFamilies(kinds: KindSet): string[] {
  const families = kinds.all.flatMap(({ fields }) => familiesIn(fields));
  return [...new Set(families)].filter((family) => kinds.named(family) === undefined).sort();
}

/** The families that fields refer to: kinds, and what the API does not manage. */
export function familiesIn(fields: Fields): string[] {
  return Object.values(fields).flatMap(familiesOf);
}

function familiesOf(field: Field): string[] {
  if (field.is === 'leaf') return field.ref === undefined || field.lifecycle === 'computed' ? [] : [field.ref.to];
  if (field.is === 'list') return familiesOf(field.of);
  return field.is === 'group' ? familiesIn(field.fields) : [];
}
