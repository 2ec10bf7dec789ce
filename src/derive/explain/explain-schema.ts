import { plainFacts, type FieldFacts } from './explain-kind.ts';
import type { JsonSchema } from '../schema/field-schema.ts';

/** Describes the fields of a JSON Schema as those of a kind are described. `$ref` is followed into the schema's own definitions. */
export function fieldsOfSchema(root: JsonSchema): readonly FieldFacts[] {
  const required = (resolved(root, root)['required'] ?? []) as readonly string[];
  return Object.entries(propertiesOf(root, root)).map(([name, written]) => {
    const field = resolved(written, root);
    const { default: preset } = field;
    const isPlain = typeof preset === 'string' || typeof preset === 'number' || typeof preset === 'boolean';
    return {
      name,
      type: typeOf(field),
      doc: (written['description'] ?? field['description'] ?? '') as string,
      ...plainFacts,
      required: required.includes(name) && preset === undefined,
      ...(isPlain ? { default: preset } : {}),
    };
  });
}

/** The schema of a field by the path of its name; undefined where there is none. */
export function schemaAt(schema: JsonSchema, path: readonly string[]): JsonSchema | undefined {
  let at = schema;
  for (const name of path) {
    const properties = propertiesOf(at, schema);
    const found = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (found === undefined) return undefined;
    at = { ...resolved(found, schema), $defs: schema['$defs'] };
  }
  return at;
}

function propertiesOf(schema: JsonSchema, root: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const own = resolved(schema, root);
  const items = own['items'] as JsonSchema | undefined;
  const properties = own['properties'] ?? (items === undefined ? {} : resolved(items, root)['properties']);
  return (properties ?? {}) as Readonly<Record<string, JsonSchema>>;
}

function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const pointer = schema['$ref'];
  if (typeof pointer !== 'string') return schema;
  const definitions = (root['$defs'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return { ...definitions[pointer.replace('#/$defs/', '')], ...schema };
}

function typeOf({ type, enum: words, const: only, anyOf, properties }: JsonSchema): string {
  if (only !== undefined) return JSON.stringify(only).replaceAll('"', '');
  if (Array.isArray(words)) return `one of ${words.filter((word) => word !== null).join(', ')}`;
  if (Array.isArray(anyOf)) return (anyOf as readonly JsonSchema[]).map(typeOf).join(' or ');
  const types = (Array.isArray(type) ? type : [type ?? (properties === undefined ? 'value' : 'object')]) as unknown[];
  return types
    .filter((one) => one !== 'null')
    .map((one) => (one === 'object' ? 'mapping' : one === 'array' ? 'list' : String(one)))
    .join(' or ');
}
