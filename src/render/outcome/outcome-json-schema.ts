import * as z from 'zod';
import { endings } from '../../model/outcome.ts';
import { actions } from '../../model/plan.ts';
import { planJsonSchema, unresolvedJsonSchema } from '../plan/plan-json-schema.ts';

const text = z.string();
const count = z.int().min(0);
const ending = z.enum(endings);

/** How one change ended, in JSON. */
export const changeOutcomeJsonSchema = z.strictObject({
  address: text,
  action: z.enum(actions),
  outcome: ending,
  id: text.optional(),
  begun: z.literal(true).optional().describe('It did not get done, but a part of it was written.'),
  message: text.optional().describe('What went wrong.'),
  because: text.optional().describe('The address whose failure it waited for.'),
  code: text.optional(),
  status: z.int().optional().describe('As the service answered.'),
});

/** The shape of an outcome in JSON: the one definition of it, its type and its JSON Schema. */
export const outcomeJsonSchema = z.strictObject({
  format_version: z.literal('1.0'),
  exit_code: z.int().describe('What the command exits with.'),
  interrupted: z.boolean(),
  requests: count.describe('Writes that were sent.'),
  summary: z
    .strictObject({ done: count, failed: count, unknown: count, skipped: count, 'not-started': count })
    .describe('How many changes ended how.'),
  unresolved_creations: unresolvedJsonSchema,
  duplicates: z
    .array(z.strictObject({ address: text, type: text, id: text, others: z.array(text) }))
    .describe('What this run has created and somebody else as well, with the ids of the others.'),
  unsaved: z
    .strictObject({ code: text, message: text, hint: text })
    .optional()
    .describe('Why not all that was made could be remembered. The next run finds it.'),
  changes: z.array(changeOutcomeJsonSchema),
});

/** An outcome as JSON. */
export type OutcomeJson = z.infer<typeof outcomeJsonSchema>;

/** The JSON Schema of what `apply --format json` prints. */
export function jsonSchemaOfApply(): Record<string, unknown> {
  const schema = z.strictObject({
    format_version: z.literal('1.0'),
    plan: planJsonSchema,
    outcome: outcomeJsonSchema.nullable().describe('Null where nothing was begun: refused, or not approved.'),
  });
  return { ...z.toJSONSchema(schema), title: 'What an apply of sluice came to' };
}
