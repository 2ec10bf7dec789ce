import type { JsonSchema } from './field-schema.ts';

/** A schema in which each property has its name as its title; one that is only a pointer also has the description and examples of what it leads to, because editors show those of the property. */
export function withTitles(schema: unknown, definitions: JsonSchema): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withTitles(item, definitions));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]: [string, unknown]) => {
      if (keyword === 'examples' || keyword === 'default' || keyword === 'if') return [keyword, value];
      if (keyword !== 'properties') return [keyword, withTitles(value, definitions)];
      const properties = Object.entries(value as JsonSchema).map(([name, one]) => [
        name,
        { title: name, ...pointedAt(one as JsonSchema, definitions), ...(withTitles(one, definitions) as JsonSchema) },
      ]);
      return [keyword, Object.fromEntries(properties)];
    }),
  );
}

function pointedAt({ $ref }: JsonSchema, definitions: JsonSchema): JsonSchema {
  const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined;
  const target = name === undefined ? undefined : (definitions[name] as JsonSchema | undefined);
  const { description, examples } = target ?? {};
  return { ...(description === undefined ? {} : { description }), ...(examples === undefined ? {} : { examples }) };
}
