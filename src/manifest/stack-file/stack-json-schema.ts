import * as z from 'zod';
import { stackSchema } from './stack-schema.ts';

/** The JSON Schema of a `sluice.yaml`, with the defaults that say something. */
export function jsonSchemaOfStackFile(): Readonly<Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(stackSchema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (isEmpty(jsonSchema.default)) delete jsonSchema.default;
    },
  });
  return { $schema, title: 'The settings of a stack', description: 'sluice.yaml', ...rest };
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
