import * as z from 'zod';
import { avoidReasons } from '../../../model/status/fleet-status.ts';
import { fleetConditions } from './fleet-row.ts';
import { causes } from '../status-causes.ts';
import { activityJsonSchema, statusJsonSchema } from '../status-json-schema.ts';

const text = z.string();
const optionalText = text.optional();
const count = z.int().min(0);
const ofStatus = statusJsonSchema.shape;
const { time } = ofStatus;

const stackRow = z.strictObject({
  path: text.describe('The directory of the stack, relative to the directory of the fleet.'),
  stack: ofStatus.stack.optional().describe('The name of the stack; absent if `sluice.yaml` is invalid.'),
  condition: z
    .enum(fleetConditions)
    .describe(
      'The condition of the stack. `action-required`: a user must resolve the problem; `failed`: sluice retries automatically.',
    ),
  cause: z.enum(causes).describe('The cause of the condition of the stack.'),
  summary: text.describe('The condition of the stack as text.'),
  detail: optionalText.describe('Details about the condition of the stack.'),
  action_required: ofStatus.action_required,
  resources: z.array(text).describe('The addresses of the affected resources, at most 10.'),
  resources_total: count.describe('The number of affected resources.'),
  since: time.optional().describe('When the stack got the condition, if known.'),
  approval_obstacle: ofStatus.approval_obstacle,
  activity: activityJsonSchema.describe('The current activity of the stack.'),
  role: ofStatus.role.optional(),
  ready: ofStatus.conditions.element
    .pick({ status: true, reason: true })
    .optional()
    .describe('The condition `Ready` of the stack; absent if this process does not watch the stack.'),
  failures_total: count.describe('The number of failures that sluice retries.'),
  observed_revision: ofStatus.observed_revision,
  applied_revision: ofStatus.applied_revision,
  pending_total: count.describe('The number of changes that are not applied yet.'),
  drifted_total: count.describe('The number of drifted resources.'),
  last_run: z
    .strictObject({ time: time.describe('When the last apply ended.'), outcome: z.enum(['done', 'incomplete']) })
    .optional()
    .describe('The last apply.'),
  failure: z
    .strictObject({ code: text, message: text, hint: optionalText })
    .optional()
    .describe('Why the stack cannot be watched; sluice retries automatically.'),
  elsewhere: z
    .strictObject({
      replica: optionalText.describe(
        'The id of the replica that watches the stack; absent if no replica watches the stack yet.',
      ),
      url: optionalText.describe('The URL of the status page of the replica.'),
      reason: z
        .enum(avoidReasons)
        .optional()
        .describe('Why this replica temporarily leaves the stack to other replicas.'),
    })
    .optional()
    .describe(
      'The replica that watches the stack; only if this process is one of several replicas and does not watch the stack itself.',
    ),
  status: text.describe('The URL of the status of the stack, relative to the URL of this document.'),
});

/** The shape of `/status.json` of a fleet: the one definition of the document, its type and its JSON Schema. */
export const fleetJsonSchema = z.strictObject({
  format_version: ofStatus.format_version,
  version: ofStatus.version,
  time,
  start_time: ofStatus.start_time,
  search_failure: optionalText.describe('Why sluice cannot search the directory for stacks.'),
  headline: text.describe('The number of stacks that require action, in total and by cause.'),
  summary: z.record(text, count).describe('The number of stacks by condition.'),
  causes: z
    .array(
      z.strictObject({
        cause: z.enum(causes).describe('The cause of the condition of these stacks.'),
        count: z.int().min(1).describe('The number of stacks.'),
        summary: text.describe('The cause of the condition of these stacks, as text.'),
      }),
    )
    .describe('The number of stacks by cause, the worst first.'),
  stacks: z.array(stackRow).describe('The stacks that match the query, the worst first.'),
});

/** The status of a fleet as JSON. */
export type FleetJson = z.infer<typeof fleetJsonSchema>;
