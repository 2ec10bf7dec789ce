import * as z from 'zod';
import { identity } from '../../src/kinds/fields.ts';
import type { Dict, Field, Fields, FieldFormat, Group, Leaf, List } from '../../src/kinds/kind.ts';
import { isUnsetByEmptyText } from '../../src/derive/check/empty-text.ts';
import { strictObject, type JsonSchema } from '../../src/derive/schema/field-schema.ts';
import { formatExamples } from '../../src/derive/schema/format-examples.ts';

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
    { ...beside, ...Object.fromEntries(taken.map(([name, field]) => [name, written(field, pointer, isWhole)])) },
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

function written(field: Field, pointer: Pointer, isWhole: boolean): JsonSchema {
  const schema = orUnset(field, writtenShape(field, pointer), isWhole);
  // What is only read, but for services that take it in writes, is no described part of a body.
  const since = field.lifecycle === 'computed' ? 'completed' : field.since;
  return {
    ...descriptionOf({ ...field, since }, limitOf(field)),
    ...(isWhole && field.required !== undefined ? schema : orNull(schema)),
  };
}

/** Format names for what a pattern cannot express; `regex` is defined by JSON Schema. */
const formatNames: Readonly<Partial<Record<FieldFormat, string>>> = {
  pem: 'pem',
  saml: 'xml',
  'ssh-public-key': 'ssh-public-key',
  policy: 'yaml',
  regex: 'regex',
};

/** The schema with what stands for unset: "" where it means that the field is left out; not even that where the field is required. In part, an empty list is left out where items are needed. */
function orUnset(field: Field, schema: JsonSchema, isWhole: boolean): JsonSchema {
  if (field.is === 'list' && !isWhole) {
    const { minItems: _, ...rest } = schema;
    return rest;
  }
  if (field.is !== 'leaf' || schema['type'] !== 'string') return schema;
  if (isUnsetByEmptyText(field, !isWhole)) return orEmpty(schema);
  return field.required === undefined ? schema : { minLength: 1, ...schema };
}

function orEmpty(schema: JsonSchema): JsonSchema {
  const { enum: words, pattern, format, minLength: _, ...rest } = schema;
  if (Array.isArray(words)) return { ...schema, enum: [...(words as unknown[]), ''] };
  const form = { ...(pattern === undefined ? {} : { pattern }), ...(format === undefined ? {} : { format }) };
  return Object.keys(form).length === 0 ? rest : { ...rest, anyOf: [form, { maxLength: 0 }] };
}

function writtenShape(field: Field, pointer: Pointer): JsonSchema {
  if (field.is === 'group') return pointer(field) ?? writeSchema(field.fields, pointer);
  if (field.is === 'list') return writtenList(field, pointer);
  if (field.is === 'dict') return dictSchema(field);
  const { $schema: _, pattern: __, ...facts } = z.toJSONSchema(field.schema) as JsonSchema;
  return {
    ...facts,
    ...(field.limit === undefined ? {} : { maxLength: field.limit.max }),
    ...facetsOf(field),
  };
}

/** The checks of a leaf as far as a schema can express them, its format, and an example. */
function facetsOf({ checks, format, secret }: Leaf): JsonSchema {
  const schemas = checks.flatMap(({ schema }) => (schema === undefined ? [] : [schema]));
  const [first, ...others] = schemas.filter(({ pattern }) => pattern !== undefined);
  const name = secret === true ? 'password' : format === undefined ? undefined : formatNames[format];
  const example = format === undefined ? undefined : formatExamples[format];
  return {
    ...(Object.assign({}, ...schemas) as JsonSchema),
    ...(first === undefined ? {} : { pattern: first['pattern'] }),
    ...(others.length === 0 ? {} : { allOf: others.map(({ pattern }) => ({ pattern })) }),
    ...(name === undefined ? {} : { format: name }),
    ...(example === undefined ? {} : { examples: [example] }),
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
  const sentence =
    field.is === 'leaf' && field.secret === true
      ? ['A secret: depending on the service, responses contain it in plain text, masked or as an empty string.']
      : [];
  return { ...descriptionOf(field, sentence), ...(mayBeNull(name, field) ? orNull(schema) : schema) };
}

function shownShape(field: Field, pointer: Pointer): JsonSchema {
  if (field.is === 'group') return pointer(field) ?? readSchema(field.fields, pointer);
  if (field.is === 'list') return { type: 'array', items: shownShape(field.of, pointer) };
  if (field.is === 'dict') return { type: 'object', additionalProperties: shownShape(field.of, pointer) };
  if (field.ref?.reads === 'object') return component('Ref');
  // How long or large a value may be is a matter of writing it.
  const { type, enum: words, format } = writtenShape(field, pointer);
  return { type, ...(words === undefined ? {} : { enum: words }), ...(format === undefined ? {} : { format }) };
}

function dictSchema({ key, of }: Dict): JsonSchema {
  const { type: _, examples: __, ...name } = writtenShape(key, () => undefined);
  return { type: 'object', propertyNames: name, additionalProperties: writtenShape(of, () => undefined) };
}

function descriptionOf(field: Field, sentences: readonly string[]): JsonSchema {
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
    ...(isWorthNaming(usual) ? [`Default: ${String(usual)}.`] : []),
  ];
}

function isWorthNaming(usual: Leaf['default']): boolean {
  return usual !== undefined && usual !== '';
}
