import * as z from 'zod';
import type { Field, Fields, Group, Leaf, List } from '../../kinds/kind.ts';
import { examplesOf } from './field-examples.ts';
import { MARKER_KEY } from '../marker.ts';

/** A JSON Schema (draft 2020-12) as a plain value. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** What stands in for a group: itself, or a pointer to where it is defined once. */
export type GroupSchema = (group: Group, schema: JsonSchema) => JsonSchema;

const inPlace: GroupSchema = (_group, schema) => schema;

/** The pointer to a definition beside a schema. */
export function definition(name: string): JsonSchema {
  return { $ref: `#/$defs/${name}` };
}

/** A mapping that takes these keys and no other; `required` ones must be there. */
export function strictObject(properties: JsonSchema, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
}

/** What may be written for the fields of a group: each by its name, and which of them must be. */
export function fieldSchemas(
  fields: Fields,
  place: GroupSchema = inPlace,
): { readonly properties: JsonSchema; readonly required: readonly string[] } {
  const writable = Object.entries(fields).filter(([, { lifecycle }]) => lifecycle !== 'computed');
  return {
    properties: Object.fromEntries(
      writable.map(([name, field]) => [name, withExamples(fieldSchema(field, place), field, name)]),
    ),
    required: writable.filter(([, field]) => field.required !== undefined).map(([name]) => name),
  };
}

/** What may be written for a group: its fields, or null for none where it may be left out. */
export function groupSchema(group: Group, place: GroupSchema = inPlace): JsonSchema {
  const examples = examplesOf(group, '');
  return { ...described(group, membersSchema(group, place)), ...(examples.length === 0 ? {} : { examples }) };
}

/** A pointer has the examples of what it leads to, and editors list the words of a closed list anyway. */
function withExamples(schema: JsonSchema, field: Field, name: string): JsonSchema {
  const hasWords = field.is === 'leaf' && field.schema instanceof z.ZodEnum;
  const examples = schema['$ref'] === undefined && !hasWords ? examplesOf(field, name) : [];
  return examples.length === 0 ? schema : { ...schema, examples };
}

function fieldSchema(field: Field, place: GroupSchema): JsonSchema {
  if (field.is === 'group') return place(field, groupSchema(field, place));
  if (field.is === 'list') return described(field, listSchema(field, place));
  if (field.is === 'dict') return described(field, { type: 'object', additionalProperties: leafSchema(field.of) });
  return described(field, leafSchema(field));
}

function membersSchema({ fields }: Group, place: GroupSchema): JsonSchema {
  const { properties, required } = fieldSchemas(fields, place);
  return strictObject(properties, required);
}

function listSchema({ of, atLeast, unique }: List, place: GroupSchema): JsonSchema {
  const list = {
    type: 'array',
    items: of.is === 'leaf' ? leafSchema(of) : membersSchema(of, place),
    ...(atLeast === undefined ? {} : { minItems: atLeast.count }),
    ...(unique === undefined ? {} : { uniqueItems: true }),
  };
  return of.is === 'leaf' ? { anyOf: [list, definition('variable')] } : list;
}

/** A scalar written out, or what may stand for text: a reference, a value from elsewhere, a mapping in place of JSON. */
function leafSchema(leaf: Leaf): JsonSchema {
  const { limit, schema } = leaf;
  const { $schema: _, pattern: __, ...facts } = z.toJSONSchema(schema) as JsonSchema;
  const written = { ...facts, ...(limit === undefined ? {} : { maxLength: limit.max }) };
  if (facts['type'] !== 'string') return { anyOf: [written, definition('variable')] };
  const isReference = leaf.ref !== undefined;
  return {
    anyOf: [
      written,
      ...(isReference
        ? [definition('ref')]
        : takesMapping(leaf) || leaf.secret === true
          ? []
          : [definition('taken'), definition('output')]),
      definition('value'),
      ...(takesMapping(leaf) ? [mappingSchema(leaf)] : []),
    ],
  };
}

function takesMapping(field: Field): boolean {
  return field.is === 'leaf' && (field.format === 'json' || field.format === 'policy');
}

function mappingSchema({ carriesMarker }: Leaf): JsonSchema {
  return { type: 'object', ...(carriesMarker === true ? { propertyNames: { not: { const: MARKER_KEY } } } : {}) };
}

/** The schema of a field with its description; it allows null, which means unset, if the field is optional. */
function described(field: Field, schema: JsonSchema): JsonSchema {
  const facts = field.is === 'leaf' ? defaultOf(field) : {};
  return {
    description: sentencesOf(field).join(' '),
    ...(field.required === undefined ? orNull(schema) : schema),
    ...facts,
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { anyOf, type, ...rest } = schema;
  return Array.isArray(anyOf)
    ? { ...rest, anyOf: [...(anyOf as unknown[]), { type: 'null' }] }
    : { type: [type, 'null'], ...rest };
}

function defaultOf({ default: value }: Leaf): JsonSchema {
  return value === undefined || value === '' || value === 0 || value === false ? {} : { default: value };
}

function sentencesOf(field: Field): string[] {
  const limit = field.is === 'leaf' ? field.limit : undefined;
  return [
    field.doc,
    ...(takesMapping(field) ? ['If the value is a mapping, sluice sends it as JSON text.'] : []),
    ...(limit === undefined ? [] : [`At most ${limit.max} ${limit.unit}${limit.unit === 'bytes' ? ' of UTF-8' : ''}.`]),
    ...(field.lifecycle === 'immutable' ? ['Immutable: if the field changes, sluice replaces the resource.'] : []),
  ];
}
