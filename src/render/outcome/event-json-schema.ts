import * as z from 'zod';
import { changeOutcomeJsonSchema, outcomeJsonSchema } from './outcome-json-schema.ts';

const text = z.string();
const count = z.int().min(0);
const time = text.describe('RFC 3339');
const { action } = changeOutcomeJsonSchema.shape;

/** The shape of one line of `--events`: the one definition of it, its type and its JSON Schema. */
export const eventJsonSchema = z.discriminatedUnion('type', [
  z
    .strictObject({
      format_version: z.literal('1.0'),
      type: z.literal('begun'),
      time,
      stack: z.strictObject({ name: text, id: text }),
      changes: count,
      requests: count,
    })
    .describe('The first line: what there is to do.'),
  z
    .strictObject({ type: z.literal('started'), time, address: text, action, request: text })
    .describe('A request goes out; its id is that of the plan.'),
  z
    .strictObject({
      type: z.literal('waiting'),
      time,
      address: text.optional(),
      method: text.optional(),
      path: text.optional(),
      seconds: z.number().optional(),
      why: text,
    })
    .describe('Before a request is repeated, or before it is looked up what came of one.'),
  z
    .strictObject({ type: z.literal('finished'), time, ...changeOutcomeJsonSchema.shape })
    .describe('A change has come to its end. Each change has such a line; of several, the last holds.'),
  z
    .strictObject({ type: z.literal('ended'), time, outcome: outcomeJsonSchema })
    .describe('The last line: the outcome as in `--format json`.'),
]);

/** One line of `--events`. */
export type EventJson = z.infer<typeof eventJsonSchema>;

/** The JSON Schema of one line of `--events`. */
export function jsonSchemaOfEvent(): Record<string, unknown> {
  return { ...z.toJSONSchema(eventJsonSchema), title: 'One line of the events of an apply of sluice' };
}
