import * as z from 'zod';
import { endings } from '../../model/outcome.ts';
import { actions } from '../../model/plan/plan.ts';

const text = z.string();

/** How one change ended, in JSON. */
export const changeOutcomeJsonSchema = z.strictObject({
  address: text,
  action: z.enum(actions),
  outcome: z.enum(endings),
  id: text.optional(),
  partially_applied: z
    .literal(true)
    .optional()
    .describe('Whether the change is incomplete although some of its requests were applied.'),
  message: text.optional().describe('The error because of which the change did not complete.'),
  failed_dependency: text.optional().describe('The address of the change that had to complete first and did not.'),
  code: text.optional(),
  status: z.int().optional().describe('The HTTP status of the response.'),
});
