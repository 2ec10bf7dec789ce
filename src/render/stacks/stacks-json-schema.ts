import * as z from 'zod';
import { stackStatuses } from './stacks-result.ts';

const text = z.string();
const count = z.int().min(0);

/** The shape of the results of several stacks in JSON: the one definition of it, its type and its JSON Schema. */
export const stacksJsonSchema = z.strictObject({
  format_version: z.literal('1.0'),
  command: text.describe('The command, such as plan.'),
  exit_code: z.int().describe('The exit code of the command for all stacks.'),
  summary: z.record(z.enum(stackStatuses), count).describe('The number of stacks by status.'),
  stacks: z
    .array(
      z.strictObject({
        stack: text.describe('The directory of the stack, as -C takes it.'),
        status: z
          .enum(stackStatuses)
          .describe(
            'The result of the command for this stack. `applied`: changes were applied; `pending`: the plan has changes; `unchanged`: no changes.',
          ),
        exit_code: z
          .int()
          .optional()
          .describe('The exit code of the command for this stack; absent if the command was not started.'),
        failed_dependency: text.optional().describe('The dependency of this stack that did not complete.'),
        result: z
          .record(text, z.unknown())
          .optional()
          .describe(
            'The output of the command for this stack, as in plan.schema.json or apply.schema.json; or the error.',
          ),
      }),
    )
    .describe('The stacks, in the order of execution.'),
});

/** The results of several stacks as JSON. */
export type StacksJson = z.infer<typeof stacksJsonSchema>;
