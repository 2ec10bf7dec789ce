import * as z from 'zod';
import { identity } from '../../kinds/fields.ts';
import type { Dict, Field, Fields, Group, Leaf, List } from '../../kinds/kind.ts';
import { strictObject, type JsonSchema } from './field-schema.ts';

/** A pointer to where a group is described once, or nothing where it is described in place. */
export type Pointer = (group: Group) => JsonSchema | undefined;

/** The pointer to a schema among a document's components. */
export function component(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** What a body may carry: each field by its own name, and no other key. Without `isWhole` any may be left out. */
export function writeSchema(
  fields: Fields,
  pointer: Pointer,
  { isWhole = true, beside = {} }: { readonly isWhole?: boolean; readonly beside?: JsonSchema } = {},
): JsonSchema {
  const taken = Object.entries(fields).filter(([, field]) => isWritable(field));
  const required = taken.filter(([, field]) => isWhole && field.required !== undefined);
  return strictObject(
    { ...beside, ...Object.fromEntries(taken.map(([name, field]) => [name, written(field, pointer)])) },
    required.map(([name]) => name),
  );
}

/** What an answer holds, and what is always or sometimes there beside the fields. It may hold more: readers ignore keys they do not know. */
export function readSchema(
  fields: Fields,
  pointer: Pointer,
  { always = {}, sometimes = {} }: { readonly always?: JsonSchema; readonly sometimes?: JsonSchema } = {},
): JsonSchema {
  const all = Object.entries(fields).map(([name, field]) => ({ key: field.readAs ?? name, name, field }));
  const required = [
    ...all.filter(({ name, field }) => isAlwaysThere(name, field)).map(({ key }) => key),
    ...Object.keys(always),
  ];
  const properties = Object.fromEntries(all.map(({ key, name, field }) => [key, shown(name, field, pointer)]));
  return {
    type: 'object',
    properties: { ...properties, ...always, ...sometimes },
    ...(required.length > 0 ? { required } : {}),
  };
}

/** The same schema with null beside what it takes. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: words, ...rest } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return { ...rest, type: [type, 'null'], ...(Array.isArray(words) ? { enum: [...(words as unknown[]), null] } : {}) };
}

function isWritable(field: Field): boolean {
  return field.lifecycle !== 'computed' || (field.is === 'leaf' && field.acceptedOnWrite === true);
}

/** Everything that may be unset may be left out or null; a group that is not set is null. */
function isAlwaysThere(name: string, field: Field): boolean {
  return field.is === 'group' || !mayBeNull(name, field);
}

function mayBeNull(name: string, field: Field): boolean {
  return field.required === undefined && !Object.hasOwn(identity, name);
}

function written(field: Field, pointer: Pointer): JsonSchema {
  const schema = writtenShape(field, pointer);
  // What is only read, but for services that take it in writes, is no described part of a body.
  const since = field.lifecycle === 'computed' ? 'completed' : field.since;
  return { ...told({ ...field, since }, limitOf(field)), ...(field.required === undefined ? orNull(schema) : schema) };
}

function writtenShape(field: Field, pointer: Pointer): JsonSchema {
  if (field.is === 'group') return pointer(field) ?? writeSchema(field.fields, pointer);
  if (field.is === 'list') return writtenList(field, pointer);
  if (field.is === 'dict') return dictSchema(field);
  const { $schema: _, pattern: __, ...facts } = z.toJSONSchema(field.schema) as JsonSchema;
  return {
    ...facts,
    ...(field.limit === undefined ? {} : { maxLength: field.limit.max }),
    ...(field.secret === true ? { format: 'password' } : {}),
  };
}

function writtenList({ of, atLeast, unique }: List, pointer: Pointer): JsonSchema {
  return {
    type: 'array',
    items: writtenShape(of, pointer),
    ...(atLeast === undefined ? {} : { minItems: atLeast.count }),
    ...(unique === undefined ? {} : { uniqueItems: true }),
  };
}

function shown(name: string, field: Field, pointer: Pointer): JsonSchema {
  const schema = shownShape(field, pointer);
  const sentence = field.is === 'leaf' && field.secret === true ? ['In clear, empty or masked: services differ.'] : [];
  return { ...told(field, sentence), ...(mayBeNull(name, field) ? orNull(schema) : schema) };
}

function shownShape(field: Field, pointer: Pointer): JsonSchema {
  if (field.is === 'group') return pointer(field) ?? readSchema(field.fields, pointer);
  if (field.is === 'list') return { type: 'array', items: shownShape(field.of, pointer) };
  if (field.is === 'dict') return dictSchema(field);
  if (field.ref?.reads === 'object') return component('Ref');
  // How long or large a value may be is a matter of writing it.
  const { type, enum: words, format } = writtenShape(field, pointer);
  return { type, ...(words === undefined ? {} : { enum: words }), ...(format === undefined ? {} : { format }) };
}

function dictSchema({ of }: Dict): JsonSchema {
  return { type: 'object', additionalProperties: writtenShape(of, () => undefined) };
}

function told(field: Field, sentences: readonly string[]): JsonSchema {
  return {
    description: [field.doc, ...sentences].join(' '),
    ...(field.since === 'completed' ? { 'x-sluice-since': 'completed' } : {}),
  };
}

/** The limit in its own unit and what is taken when nothing is given; as `default`, generators would ask for the field. */
function limitOf(field: Field): string[] {
  if (field.is !== 'leaf') return [];
  const { limit, default: usual } = field;
  return [
    ...(limit === undefined ? [] : [`At most ${limit.max} ${limit.unit}${limit.unit === 'bytes' ? ' of UTF-8' : ''}.`]),
    ...(isTelling(usual) ? [`When left out: ${String(usual)}.`] : []),
  ];
}

function isTelling(usual: Leaf['default']): boolean {
  return usual !== undefined && usual !== '';
}
