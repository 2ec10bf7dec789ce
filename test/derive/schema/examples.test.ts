import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { checkSpec } from '../../../src/derive/check/check-spec.ts';
import { lintSpec } from '../../../src/derive/check/lint-spec.ts';
import { examplesOf } from '../../../src/derive/schema/field-examples.ts';
import { manifestSchema, schemasByKind } from '../../../src/derive/schema/json-schema.ts';
import type { Field, Fields } from '../../../src/kinds/kind.ts';
import { kinds } from '../../../src/kinds/index.ts';
import { jsonSchemaOfStackFile } from '../../../src/manifest/stack-file/stack-json-schema.ts';
import { stackSchema } from '../../../src/manifest/stack-file/stack-schema.ts';
import { outputJsonSchema, outputs, type OutputName } from '../../../scripts/schema/output-json-schema.ts';
import { isSpecObject, Ref, Secret, type SpecObject, type SpecValue } from '../../../src/kinds/value.ts';

/** Every field that may be written, by its name from the kind on. */
const fields = kinds.all.flatMap((kind) => fieldsIn(kind.fields, kind.name));

function fieldsIn(inside: Fields, path: string): (readonly [string, string, Field])[] {
  return Object.entries(inside).flatMap(([name, field]) =>
    field.lifecycle === 'computed'
      ? []
      : [
          [`${path}.${name}`, name, field] as const,
          ...(field.is === 'group' ? fieldsIn(field.fields, `${path}.${name}`) : []),
        ],
  );
}

/** An example as manifests resolve it. */
function resolved(value: SpecValue): SpecValue {
  if (Array.isArray(value)) return (value as readonly SpecValue[]).map(resolved);
  if (!isSpecObject(value)) return value;
  if (typeof value['ref'] === 'string') return new Ref(`Kind/${value['ref']}`);
  if (typeof value['from_env'] === 'string') return new Secret('correct horse', { from_env: value['from_env'] });
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(item)]));
}

test.each(fields)('%s has examples, which are right and nothing unusual', (_path, name, field) => {
  const examples = examplesOf(field, name);
  expect(examples).not.toEqual([]);
  for (const example of examples) {
    const spec: SpecObject = { [name]: resolved(example) };
    expect([
      ...checkSpec({ fields: { [name]: field }, rules: [] }, spec),
      ...lintSpec({ fields: { [name]: field } }, spec),
    ]).toEqual([]);
  }
});

test.each([
  ['manifest', manifestSchema(kinds)] as const,
  ['sluice.yaml', jsonSchemaOfStackFile()] as const,
  ...schemasByKind(kinds),
])(
  'each property of the schema of %s has a title, a description and examples, or the words it may be',
  (_kind, schema) => {
    expect(lacking(schema, '')).toEqual([]);
    expect(schema['$id']).toMatch(/^urn:sluice:v1:/);
  },
);

const outputNames = Object.keys(outputs) as readonly OutputName[];

test.each(outputNames)('each property of the schema of the JSON output %s has a title and a description', (name) => {
  const schema = outputJsonSchema(name);
  expect(lacking(schema, '').filter((what) => !what.endsWith(' examples'))).toEqual([]);
  expect(schema['$id']).toMatch(/^urn:sluice:v1:/);
});

test.each(outputNames)('the schema of the JSON output %s has examples that it admits', (name) => {
  const shape: z.ZodType = outputs[name].shape;
  const { examples } = JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8')) as { examples: unknown[] };
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) expect(shape.safeParse(example).error).toBeUndefined();
});

test('the examples of the settings are settings', () => {
  const examples = examplesIn(jsonSchemaOfStackFile());
  expect(examples.length).toBeGreaterThan(20);
  for (const { name, example } of examples) {
    const least = { version: 1, stack: { name: 'shop', id: '7f3a9c21' } };
    expect(stackSchema.safeParse({ ...least, [name]: example }).error, name).toBeUndefined();
  }
});

/** The examples of the top settings, and those of the settings inside them, each alone in its place. */
function examplesIn(schema: unknown): { readonly name: string; readonly example: unknown }[] {
  const top = propertiesOf(schema);
  return Object.entries(top).flatMap(([name, property]) => [
    ...examplesOfProperty(property).map((example) => ({ name, example })),
    ...Object.entries(name === 'stack' ? {} : propertiesOf(property)).flatMap(([inner, one]) =>
      examplesOfProperty(one).map((example) => ({ name, example: { [inner]: example } })),
    ),
  ]);
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  return ((schema as { properties?: object }).properties ?? {}) as Readonly<Record<string, unknown>>;
}

function examplesOfProperty(property: unknown): readonly unknown[] {
  return (property as { examples?: readonly unknown[] }).examples ?? [];
}

/** Properties that an editor has nothing to say about. */
function lacking(schema: unknown, path: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((item, index) => lacking(item, `${path}/${String(index)}`));
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]: [string, unknown]) => {
    if (keyword === 'examples' || keyword === 'default' || keyword === 'if') return [];
    if (keyword !== 'properties') return lacking(value, `${path}/${keyword}`);
    return Object.entries(value as Record<string, Record<string, unknown>>).flatMap(([name, property]) => [
      ...['title', 'description']
        .filter((word) => property[word] === undefined)
        .map((word) => `${path}.${name} ${word}`),
      ...(['examples', 'enum', 'const'].some((word) => hasWord(property, word)) ? [] : [`${path}.${name} examples`]),
      ...lacking(property, `${path}.${name}`),
    ]);
  });
}

/** Whether a property, or a form in which it may be written, has a keyword. */
function hasWord(property: Record<string, unknown>, word: string): boolean {
  const forms = (property['anyOf'] ?? []) as readonly Record<string, unknown>[];
  return [property, ...forms].some((one) => one[word] !== undefined);
}
