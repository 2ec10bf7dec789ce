import { approvalObstacles } from '../../model/approval-obstacle.ts';
import {
  applyTriggers,
  approvalWays,
  changeCauses,
  changeProgresses,
  conditionStatuses,
  pendingReasons,
  syncStatuses,
} from '../../model/watch-status.ts';
import * as z from 'zod';
import { outputJsonSchema } from '../schema/output-json-schema.ts';
import { endings } from '../../model/outcome.ts';
import { accessEffects } from '../../model/exposure/access-comparison.ts';
import { actions, hazardCodes } from '../../model/plan/plan.ts';
import { activityTypes } from './status-activity.ts';
import { diagnosticJsonSchema, placeJsonSchema } from '../diagnostics/diagnostic-json-schema.ts';

/*
 * What `/status.json` answers. Within format 1 fields and enum values may be added; none changes its meaning or is
 * removed.
 */
const text = z.string();
const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .describe('RFC 3339, in UTC.');
const count = z.int().min(0);
const action = z.enum(actions);

const revision = z
  .strictObject({
    content: text.describe('The digest of all files that were read.'),
    commit: text.optional(),
    uncommitted_changes: z.literal(true).optional().describe('Files that were read differ from those of the commit.'),
    branch: text.optional(),
    subject: text.optional().describe('The first line of the commit message.'),
  })
  .meta({ id: 'revision' });

const condition = z.strictObject({
  type: z.enum(['Ready', 'Reconciling', 'Stalled']),
  status: z.enum(conditionStatuses),
  reason: text,
  message: text,
  since: time,
});

const resource = z.strictObject({
  address: text,
  kind: text,
  sync_status: z.enum(syncStatuses),
  note: text.optional().describe('Why it is not in sync.'),
  depends_on: z
    .array(text)
    .describe('The addresses that it refers to, and its parent, in the account or in the manifests.'),
  added_dependencies: z.array(text).optional().describe('Those that the change of it adds, which is not applied yet.'),
  removed_dependencies: z.array(text).optional().describe('Those that this change removes.'),
  source: text.optional().describe('file:line'),
  expires_at: time.optional(),
});

const pending = z.strictObject({
  address: text,
  action,
  reason: z.enum(pendingReasons).describe('What the change waits for.'),
  summary: text.describe('The same in words.'),
  waits_for: text.optional().describe('For `dependency`: the resource whose change comes first.'),
  message: text,
  cause: z.enum(changeCauses).optional().describe('Why the change is in the plan; absent where it is not known.'),
  introduced_by: revision
    .optional()
    .describe('For a change of the manifests: the revision with which this process first saw it.'),
  introduced_earlier: z
    .boolean()
    .optional()
    .describe('True: that was the first revision of this process, so an earlier one may have the change, too.'),
  hazards: z.array(z.strictObject({ code: text, address: text, message: text, temporary: z.boolean().optional() })),
  still_open: z
    .array(text)
    .optional()
    .describe('Who still gets in until a change that restricts access is applied, a sentence each.'),
  details: text
    .optional()
    .describe(
      'What would change, as `plan` shows it, secrets masked; absent beyond 100 changes: see `status.json?address=`.',
    ),
  fields: z
    .array(z.strictObject({ pointer: text, desired: text, actual: text }))
    .describe(
      'The fields that an update or a replacement changes, at most 100: JSON pointers, values as text, secrets masked.',
    ),
  since: time,
  retry_at: time.optional(),
});

const applyStart = {
  start_time: time,
  trigger: z.enum(applyTriggers),
  requested: z.boolean().optional().describe('Whether a person asked for the reconciliation that found its changes.'),
  revision: revision.optional(),
  digest: text,
  approvals: z
    .array(z.strictObject({ digest: text, by: text, time, reason: text.optional() }))
    .describe('The approvals that its changes required.'),
};

const apply = z.strictObject({
  ...applyStart,
  end_time: time,
  changes: z.array(
    z.strictObject({
      address: text,
      action,
      outcome: z.enum(endings),
      id: text.optional(),
      message: text.optional(),
      failed_dependency: text.optional(),
      code: text.optional(),
      status: z.int().optional(),
    }),
  ),
  requests: count,
  plan: text,
});

const accessSide = z.strictObject({
  audience: z
    .enum(['public', 'restricted', 'nobody', 'outside'])
    .describe('`outside`: what is served at the address decides, and not this stack.'),
  who: text.describe('In words.'),
});

/** What a watch does now. */
export const activityJsonSchema = z.strictObject({
  type: z.enum(activityTypes),
  summary: text.describe('The same in words.'),
  done: count.optional().describe('For `applying`: how many changes are done.'),
  failed: count.optional().describe('For `applying`: how many changes have failed.'),
  skipped: count.optional().describe('For `applying`: how many changes were skipped, because another one failed.'),
  total: count.optional().describe('For `applying`: how many changes there are.'),
  changes: count.optional().describe('For `waiting-for-approval`: how many.'),
  holder: text.optional().describe('For `waiting-for-lock` and `elsewhere`: who has the stack.'),
  until: time.optional().describe('When it goes on by itself.'),
});

/** The shape of `/status.json`: the one definition of the document, its type and its JSON Schema. */
export const statusJsonSchema = z.strictObject({
  format_version: z.literal('1.0'),
  version: text.describe('The version of sluice.'),
  stack: z.strictObject({ name: text, id: text }),
  directory: text.optional().describe('The directory of the stack on the machine that watches it.'),
  time: time.describe('When this status was taken.'),
  start_time: time.describe('When this process started.'),
  role: z.enum(['leader', 'standby', 'paused', 'stopping']),
  leader: text.optional().describe('The leader, while this process is on standby.'),
  leader_url: text.optional().describe('The status page of the leader, where it is known.'),
  leader_heartbeat: time.optional().describe('When the leader last sent a heartbeat, as far as this process has seen.'),
  leader_recorded: z
    .strictObject({
      ready: condition.describe('The condition `Ready`.'),
      action_required: z.array(text).describe('What only a person can resolve.'),
    })
    .optional()
    .describe('The status of the stack as the leader recorded it last, which it does whenever that changes.'),
  pause: z
    .strictObject({
      until: time.optional().describe('Absent if the pause lasts until `sluice resume`.'),
      start_time: time.optional(),
      by: text.optional(),
      reason: text.optional(),
    })
    .optional()
    .describe('Who paused the watch, when and why; `sluice resume` ends it.'),
  activity: activityJsonSchema.describe('What this process does now.'),
  conditions: z.array(condition),
  action_required: z
    .array(z.strictObject({ count, summary: text }))
    .describe('What requires a person; empty if nothing does.'),
  revision: revision.optional().describe('The revision that was read last.'),
  last_good_revision: revision.optional().describe('The last revision without errors; absent if it is `revision`.'),
  observed_revision: revision.optional().describe('The revision that the account was last compared with.'),
  applied_revision: revision.optional().describe('The last revision that was in sync or applied as a whole.'),
  last_success: time.optional().describe('When everything was last in sync or applied.'),
  last_refreshed: time.optional().describe('When the whole account was last read.'),
  next_refresh: time.optional(),
  summary: z.record(text, count).describe('The number of resources by sync status.'),
  resources_total: count.describe('The number of resources on all pages.'),
  next_page: text
    .optional()
    .describe('The address of the next page of resources, relative to this one; absent on the last.'),
  resources: z.array(resource).describe('The most urgent first, 1,000 a page.'),
  pending_total: count.describe('The number of changes that are not applied yet.'),
  pending: z.array(pending).describe('Changes that are not applied yet, at most 1,000.'),
  approval_digest: text.optional().describe('The argument of `sluice approve`.'),
  approval_plan: text.optional().describe('All that `approval_digest` approves, as `plan` shows it, secrets masked.'),
  approval_summary: z
    .strictObject({
      changes: z.array(z.strictObject({ action, kind: text, count })).describe('Changes by action and kind.'),
      hazards: z
        .array(z.strictObject({ code: z.enum(hazardCodes), count }))
        .describe('Hazards by code, the most severe first.'),
      follows: z
        .array(z.strictObject({ action, address: text }))
        .describe('Changes that wait only for the approved ones, and are applied automatically after them.'),
    })
    .optional()
    .describe('What `approval_digest` approves, in numbers, and what follows.'),
  approval_access: z
    .strictObject({
      compared: z
        .array(
          z.strictObject({
            effect: z.enum(accessEffects).describe('What the approval does for whoever uses the URLs.'),
            urls: z.array(text).describe('The first of them; `…` at the end stands for all paths that begin so.'),
            total: count.describe('How many URLs and addresses there are.'),
            now: accessSide.describe('Who can reach them now.'),
            after: accessSide.describe(
              'Who can reach them once the approved changes, and what follows them, are applied.',
            ),
          }),
        )
        .describe('What opens first.'),
      omitted: count.describe('How many URLs and addresses are left out of a long list.'),
    })
    .optional()
    .describe(
      'Who can reach the URLs and addresses that the changes concern, now and after the approval; all others stay as they are.',
    ),
  approval_obstacle: z
    .enum(approvalObstacles)
    .optional()
    .describe('What must end before changes that are approved now are applied; absent if nothing must.'),
  approval_ways: z
    .array(z.enum(approvalWays))
    .describe('How changes can be approved, beside `sluice approve`: on the status page, or by a signed commit.'),
  refused_approval: text.optional().describe('Why the newest approval commit was not accepted.'),
  applying: z
    .strictObject({
      ...applyStart,
      total: count,
      done: count.describe('How many changes are done.'),
      failed: count.describe('How many changes have failed; `failures` says why.'),
      skipped: count.describe('How many changes were skipped, because another one failed.'),
      changes: z
        .array(
          z.strictObject({
            address: text,
            action,
            progress: z.enum(changeProgresses).describe('How far the change is.'),
            details: text
              .optional()
              .describe('What a change that has not ended changes, as `sluice plan` prints it; of the first ones.'),
            failed_dependency: text.optional().describe('For `skipped`: the change that was not done.'),
          }),
        )
        .describe('In the order of the plan, at most 1,000.'),
    })
    .optional()
    .describe('The apply that is running.'),
  applies: z.array(apply).describe('The applies that have finished, newest first, at most 50.'),
  exposures: z
    .array(z.strictObject({ address: text, message: text, urls: z.array(text) }))
    .describe('URLs that anyone can reach now, and that are not meant to be public.'),
  exposure: z
    .array(
      z.strictObject({
        public: z.boolean().describe('Whether anyone can reach the URLs.'),
        who: text.describe('Who can reach them.'),
        urls: z.array(text).describe('`…` at the end stands for all paths that begin so.'),
        edge: text,
        route: text,
      }),
    )
    .optional()
    .describe('Who can reach which URLs, as `sluice exposure` lists them; absent before the first refresh.'),
  addresses: z
    .array(
      z.strictObject({
        address: text.describe('The resource.'),
        at: text
          .optional()
          .describe(
            'Where clients arrive, `host:port` or a domain; absent where the service has assigned it since the last refresh.',
          ),
        who: text.describe('Who can reach it.'),
      }),
    )
    .optional()
    .describe('Addresses at which clients arrive without an edge, such as reserved TCP addresses.'),
  rule_breaches: z
    .array(
      z.strictObject({
        rule: text,
        set_by: z.enum(['repository', 'operator']),
        address: text.describe('The route that takes the request.'),
        request: text.optional().describe('A request that breaks the rule.'),
        message: text,
        source: placeJsonSchema.optional().describe('The route in the manifests.'),
        rule_source: placeJsonSchema.optional().describe('The rule in sluice.yaml, or in the file of the operator.'),
      }),
    )
    .describe('Routes that break an access rule now.'),
  drift_conflicts: z
    .array(z.strictObject({ address: text, pointer: text, desired: text, actual: text, count, since: time }))
    .describe('Fields in drift conflict: another client reverts them each time sluice repairs them.'),
  failures: z.array(
    z.strictObject({
      scope: text.describe('What failed: `manifests`, `account` or the address of a resource.'),
      code: text,
      message: text,
      hint: text.optional(),
      status: z.int().optional().describe('The HTTP status with which the service refused a change.'),
      details: text
        .optional()
        .describe('What a failed change was to do, as `sluice plan` prints it; of the first 100 failures.'),
      since: time,
      attempts: count,
      next_attempt: time.optional(),
    }),
  ),
  diagnostics: z.array(diagnosticJsonSchema),
});

/** A status as JSON. */
export type StatusJson = z.infer<typeof statusJsonSchema>;

/** The JSON Schema of a status as JSON. */
export function jsonSchemaOfStatus(): Record<string, unknown> {
  return outputJsonSchema(statusJsonSchema, 'status', 'The status of sluice watch');
}
