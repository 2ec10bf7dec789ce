import * as z from 'zod';
import { changeOutcomeJsonSchema } from './change-outcome-json-schema.ts';
import { outcomeJsonSchema } from './outcome-json-schema.ts';

const text = z.string();
const count = z.int().min(0);
const time = text.describe('The time, in the format of RFC 3339.');
const { action } = changeOutcomeJsonSchema.shape;

/** The shape of one line of `--events`: the one definition of it, its type and its JSON Schema. */
export const eventJsonSchema = z.discriminatedUnion('type', [
  z
    .strictObject({
      format_version: z.literal('1.0'),
      type: z.literal('apply_started'),
      time,
      stack: z.strictObject({ name: text, id: text }),
      changes: count,
      requests: count,
    })
    .describe('The first event: how many changes and requests the plan has.'),
  z
    .strictObject({ type: z.literal('request_started'), time, address: text, action, request: text })
    .describe('A request is sent; `request` is its id in the plan.'),
  z
    .strictObject({
      type: z.literal('waiting'),
      time,
      address: text.optional(),
      method: text.optional(),
      path: text.optional(),
      seconds: z.number().optional(),
      reason: text,
    })
    .describe('sluice waits before it retries a request or checks the outcome of a request.'),
  z
    .strictObject({ type: z.literal('change_finished'), time, ...changeOutcomeJsonSchema.shape })
    .describe(
      'The outcome of a change. If the outcome changes before the apply finishes, another line follows; the last line has the final outcome of the change.',
    ),
  z
    .strictObject({ type: z.literal('apply_finished'), time, outcome: outcomeJsonSchema })
    .describe('The last event: the outcome of the apply, as in the output of `--format json`.'),
]);

/** One line of `--events`. */
export type EventJson = z.infer<typeof eventJsonSchema>;
