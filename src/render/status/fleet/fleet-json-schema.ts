import * as z from 'zod';
import { outputJsonSchema } from '../../schema/output-json-schema.ts';
import { avoidReasons } from '../../../model/fleet-status.ts';
import { fleetConditions } from './fleet-row.ts';
import { causes } from '../status-causes.ts';
import { activityJsonSchema, statusJsonSchema } from '../status-json-schema.ts';

const {
  format_version,
  version,
  time,
  start_time,
  stack,
  role,
  observed_revision,
  applied_revision,
  action_required,
  approval_obstacle,
} = statusJsonSchema.shape;

const stackRow = z.strictObject({
  path: z.string().describe('The directory of the stack, from that of the fleet.'),
  stack: stack.optional().describe('Absent where `sluice.yaml` cannot be used.'),
  condition: z
    .enum(fleetConditions)
    .describe(
      '`action-required`: only a person can resolve it, whatever its cause; `failed`: sluice retries by itself.',
    ),
  cause: z.enum(causes).describe('What the condition comes from.'),
  summary: z.string().describe('The condition in words.'),
  detail: z.string().optional().describe('More about the condition.'),
  action_required,
  resources: z.array(z.string()).describe('The addresses of the resources that the cause is about, at most 10.'),
  resources_total: z.int().min(0).describe('The number of these resources.'),
  since: time.optional().describe('Since when it is so, where that is known.'),
  approval_obstacle,
  activity: activityJsonSchema.describe('What is done now.'),
  role: role.optional(),
  observed_revision,
  applied_revision,
  pending_total: z.int().min(0).describe('The number of changes that are not applied yet.'),
  drifted_total: z.int().min(0).describe('The number of drifted resources.'),
  last_run: z
    .strictObject({ time: time.describe('When the last apply ended.'), outcome: z.enum(['done', 'incomplete']) })
    .optional()
    .describe('The last apply.'),
  failure: z
    .strictObject({ code: z.string(), message: z.string(), hint: z.string().optional() })
    .optional()
    .describe('Why the stack cannot be watched; it is retried.'),
  elsewhere: z
    .strictObject({
      replica: z.string().optional().describe('The id of the replica that has the stack; absent if none has it yet.'),
      url: z.string().optional().describe('The address of its status page.'),
      reason: z.enum(avoidReasons).optional().describe('Why this replica leaves the stack to others for a while.'),
    })
    .optional()
    .describe('Present if this process is one of several replicas, and the stack is not its own.'),
  status: z.string().describe('The address of the status of the stack, relative to this one.'),
});

/** The shape of `/status.json` of a fleet: the one definition of the document, its type and its JSON Schema. */
export const fleetJsonSchema = z.strictObject({
  format_version,
  version,
  time,
  start_time,
  search_failure: z.string().optional().describe('Why the directory cannot be searched for stacks.'),
  headline: z.string().describe('How many stacks require action, and of them how many for which cause.'),
  summary: z.record(z.string(), z.int().min(0)).describe('The number of stacks by condition.'),
  causes: z
    .array(
      z.strictObject({
        cause: z.enum(causes).describe('What their conditions come from.'),
        count: z.int().min(1).describe('The number of stacks.'),
        summary: z.string().describe('The cause in words.'),
      }),
    )
    .describe('The number of stacks by cause, the worst first.'),
  stacks: z.array(stackRow).describe('The stacks that the query asks for, the worst first.'),
});

/** The status of a fleet as JSON. */
export type FleetJson = z.infer<typeof fleetJsonSchema>;

/** The JSON Schema of the status of a fleet. */
export function jsonSchemaOfFleet(): Record<string, unknown> {
  return outputJsonSchema(fleetJsonSchema, 'fleet', 'The status of the stacks of sluice watch --fleet');
}
