import * as z from 'zod';
import { withTitles } from '../../src/derive/schema/titles.ts';
import { eventJsonSchema } from '../../src/render/outcome/event-json-schema.ts';
import { outcomeJsonSchema } from '../../src/render/outcome/outcome-json-schema.ts';
import { planJsonSchema } from '../../src/render/plan/plan-json-schema.ts';
import { stacksJsonSchema } from '../../src/render/stacks/stacks-json-schema.ts';
import { fleetJsonSchema } from '../../src/render/status/fleet/fleet-json-schema.ts';
import { statusJsonSchema } from '../../src/render/status/status-json-schema.ts';
import { wordsOfOutput } from './words-of-output.ts';

/** The documents that sluice prints, by the names of their schemas. */
export const outputs = {
  plan: { shape: planJsonSchema, title: 'The JSON output of sluice plan' },
  status: { shape: statusJsonSchema, title: 'The status of sluice watch' },
  fleet: { shape: fleetJsonSchema, title: 'The status of the stacks of sluice watch --fleet' },
  apply: {
    shape: z.strictObject({
      format_version: z.literal('1.0'),
      plan: planJsonSchema,
      outcome: outcomeJsonSchema
        .nullable()
        .describe('What the apply did; null if nothing was started, because the apply was refused or not approved.'),
    }),
    title: 'The result of sluice apply',
  },
  stacks: { shape: stacksJsonSchema, title: 'The results of several stacks' },
  event: { shape: eventJsonSchema, title: 'One line of sluice apply --events' },
} as const;

/** The name of a document that sluice prints. */
export type OutputName = keyof typeof outputs;

/** The JSON Schema of a document that sluice prints: each property has a title and a description. */
export function outputJsonSchema(name: OutputName): Record<string, unknown> {
  const { shape, title } = outputs[name];
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
