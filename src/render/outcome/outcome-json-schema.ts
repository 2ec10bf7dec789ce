import * as z from 'zod';
import { unresolvedJsonSchema } from '../plan/plan-json-schema.ts';
import { changeOutcomeJsonSchema } from './change-outcome-json-schema.ts';

const text = z.string();
const count = z.int().min(0);

/** The shape of an outcome in JSON: the one definition of it, its type and its JSON Schema. */
export const outcomeJsonSchema = z.strictObject({
  format_version: z.literal('1.0'),
  exit_code: z.int().describe('The exit code of sluice.'),
  interrupted: z.boolean(),
  requests: count.describe('The number of write requests sent.'),
  summary: z
    .strictObject({ done: count, failed: count, unknown: count, skipped: count, not_started: count })
    .describe('The number of changes by outcome.'),
  unresolved_creations: unresolvedJsonSchema,
  duplicates: z
    .array(z.strictObject({ address: text, type: text, id: text, other_ids: z.array(text) }))
    .describe('Resources that this run and another run created at the same time, with the ids of the other instances.'),
  state_error: z
    .strictObject({ code: text, message: text, hint: text })
    .optional()
    .describe('Why the state was not saved completely. The next run finds the resources by their ownership markers.'),
  changes: z.array(changeOutcomeJsonSchema),
});

/** An outcome as JSON. */
export type OutcomeJson = z.infer<typeof outcomeJsonSchema>;
