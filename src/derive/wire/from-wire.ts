import { SluiceError } from '../../diagnostics/errors.ts';
import { namedFields } from '../../kinds/named-fields.ts';
import type { Field, Fields, Kind, KindSet } from '../../kinds/kind.ts';
import { Secret, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { Actual } from '../../model/actual.ts';
import { idForm, isId } from '../../model/id.ts';
import { markerField, splitMetadata } from '../marker.ts';
import { objectInOrder } from '../sorted-json.ts';

/** An answer that is JSON but not the resource it should be. */
export class UnexpectedAnswer extends SluiceError {
  constructor(kind: string, message: string) {
    super('UNEXPECTED_RESPONSE', `the service returned an invalid ${kind}: ${message}`);
  }
}

type Json = Readonly<Record<string, unknown>>;

/** Reads one resource as the API answers it: into write form, refs as ids, the marker taken out of metadata. Unknown keys are left aside. */
export function fromWire(kind: Kind, answer: unknown, parent?: string): Actual {
  const object = objectOf(kind.name, 'response', answer);
  const id = object['id'];
  if (typeof id !== 'string' || id === '') throw new UnexpectedAnswer(kind.name, 'the response has no `id`');
  mustBeId(kind.name, 'id', id);
  const spec = readGroup(kind.name, kind.fields, object);
  const field = markerField(kind);
  const metadata = splitMetadata(field !== undefined && typeof spec[field] === 'string' ? spec[field] : '');
  const by = kind.within === undefined ? undefined : object[kind.within.by];
  if (kind.within !== undefined && typeof by === 'string') mustBeId(kind.name, kind.within.by, by);
  const inside = typeof by === 'string' ? by : parent;
  if (field !== undefined) spec[field] = metadata.text;
  if (kind.within !== undefined && inside !== undefined) spec[kind.within.by] = inside;
  return {
    kind: kind.name,
    id,
    spec,
    computed: readComputed(kind.fields, object),
    ...(metadata.marker === undefined ? {} : { marker: metadata.marker }),
    ...(metadata.unmarkable ? { unmarkable: true } : {}),
    ...(inside === undefined ? {} : { parent: inside }),
  };
}

/** Throws unless an answer is the requested resource: an answer about another one proves nothing. */
export function requireSameId(kind: Kind, answer: unknown, id: string): void {
  if (fromWire(kind, answer).id !== id)
    throw new UnexpectedAnswer(kind.name, 'the `id` in the response differs from the requested id');
}

/** The resources that come along inside an answer, such as the routes of an edge. */
export function embeddedIn(kinds: KindSet, kind: Kind, answer: unknown): Actual[] {
  const object = objectOf(kind.name, 'response', answer);
  return kinds.within(kind.name).flatMap((child) => {
    const { embeddedAs } = child.within;
    const items = object[embeddedAs] ?? [];
    if (!Array.isArray(items)) throw new UnexpectedAnswer(kind.name, `\`${embeddedAs}\` is not a list`);
    return items.map((item) => fromWire(child, item, String(object['id'])));
  });
}

function readGroup(kind: string, fields: Fields, object: Json): Record<string, SpecValue> {
  const spec: Record<string, SpecValue> = {};
  for (const { name, field } of namedFields(fields)) {
    if (field.lifecycle === 'computed') continue;
    const key = field.readAs ?? name;
    const value = Object.hasOwn(object, key) ? readField(kind, key, field, object[key]) : null;
    if (value !== null) spec[name] = value;
  }
  return spec;
}

function readField(kind: string, name: string, field: Field, value: unknown): SpecValue {
  if (value === null || value === undefined) return null;
  if (field.is === 'group') return readGroup(kind, field.fields, objectOf(kind, name, value));
  if (field.is === 'list') {
    if (!Array.isArray(value)) throw new UnexpectedAnswer(kind, `\`${name}\` is not a list`);
    const items = value.map((item) => readField(kind, name, field.of, item));
    // A service returns a set in any order, also in another one each time; the digest of a plan must not follow it.
    return field.order === 'set' ? items.sort() : items;
  }
  if (field.is === 'dict') {
    const entries = Object.entries(objectOf(kind, name, value));
    return objectInOrder(entries.map(([key, item]) => [key, readField(kind, key, field.of, item)]));
  }
  if (field.ref?.reads === 'object' && typeof value === 'object')
    return readField(kind, name, { ...field, ref: { ...field.ref, reads: 'id' } }, objectOf(kind, name, value)['id']);
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new UnexpectedAnswer(kind, `\`${name}\` is not a string, number or boolean`);
  if (field.ref !== undefined && typeof value === 'string' && value !== '') mustBeId(kind, name, value);
  return field.secret === true ? (value === '' ? null : new Secret(String(value))) : value;
}

/** Ids go into paths, plans and state: what has not the form of one is not repeated. */
function mustBeId(kind: string, name: string, id: string): void {
  if (!isId(id)) throw new UnexpectedAnswer(kind, `\`${name}\` is not a valid id (${idForm})`);
}

/** Computed fields, also those inside modules, as answered. */
function readComputed(fields: Fields, object: Json): SpecObject {
  const found: Record<string, SpecValue> = {};
  for (const { name, field } of namedFields(fields)) {
    const value = object[field.readAs ?? name];
    if (value === undefined || value === null) continue;
    if (field.lifecycle === 'computed') found[name] = value as SpecValue;
    else if (field.is === 'group' && typeof value === 'object') {
      const inner = readComputed(field.fields, value as Json);
      if (Object.keys(inner).length > 0) found[name] = inner;
    }
  }
  return found;
}

function objectOf(kind: string, name: string, value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnexpectedAnswer(kind, `\`${name}\` is not an object`);
  return value as Json;
}
