import * as z from 'zod';
import { withTitles } from '../../derive/schema/titles.ts';
import { wordsOfOutput } from './words-of-output.ts';

/** The JSON Schema of a document that sluice prints: each property has a title and a description. */
export function outputJsonSchema(shape: z.ZodType, name: string, title: string): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(shape);
  const described = withDescriptions(withTitles(schema, {})) as Record<string, unknown>;
  return { $schema, $id: `urn:sluice:v1:output:${name}`, title, ...described };
}

/** A property without a description of its own has that of its name. */
function withDescriptions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withDescriptions);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]: [string, unknown]) => {
      if (keyword !== 'properties') return [keyword, withDescriptions(value)];
      const properties = Object.entries(value as Record<string, Record<string, unknown>>).map(([name, one]) => {
        const { title, ...rest } = withDescriptions(one) as Record<string, unknown>;
        const description = wordsOfOutput[name];
        return [name, { title, ...(description === undefined ? {} : { description }), ...rest }];
      });
      return [keyword, Object.fromEntries(properties)];
    }),
  );
}
