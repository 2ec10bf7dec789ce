import * as z from 'zod';
import { withTitles } from '../../derive/schema/titles.ts';
import { stackSchema } from './stack-schema.ts';

/** The JSON Schema of a `sluice.yaml`, with the defaults that are informative. */
export function jsonSchemaOfStackFile(): Readonly<Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(stackSchema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (isEmpty(jsonSchema.default)) delete jsonSchema.default;
    },
  });
  const head = { $schema, $id: 'urn:sluice:v1:sluice.yaml', title: 'The settings of a stack' };
  return {
    ...head,
    description: 'The file sluice.yaml, which makes a directory a stack.',
    ...(withTitles(rest, {}) as object),
  };
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
