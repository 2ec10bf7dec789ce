import { approvalObstacles } from '../../model/status/approval-obstacle.ts';
import {
  applyTriggers,
  approvalWays,
  changeCauses,
  changeProgresses,
  conditionStatuses,
  conditionTypes,
  pendingReasons,
  syncStatuses,
  watchRoles,
} from '../../model/status/watch-status.ts';
import * as z from 'zod';
import { endings } from '../../model/outcome.ts';
import { accessEffects } from '../../model/exposure/access-comparison.ts';
import { audiences } from '../../model/exposure/exposed-urls.ts';
import { actions, hazardCodes } from '../../model/plan/plan.ts';
import { activityTypes } from './status-activity.ts';
import { diagnosticJsonSchema, placeJsonSchema } from '../diagnostics/diagnostic-json-schema.ts';
import { changeOutcomeJsonSchema } from '../outcome/change-outcome-json-schema.ts';

/*
 * What `/status.json` answers. Within format 1 fields and enum values may be added; none changes its meaning or is
 * removed.
 */
const text = z.string();
const optionalText = text.optional();
const texts = z.array(text);
const optionalTexts = texts.optional();
const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .describe('The time, in the format of RFC 3339, in UTC.');
const optionalTime = time.optional();
const count = z.int().min(0);
const optionalCount = count.optional();
const action = z.enum(actions);

const revision = z
  .strictObject({
    content: text.describe('The digest of all files of the revision.'),
    commit: optionalText,
    uncommitted_changes: z.literal(true).optional().describe('True if files of the revision differ from the commit.'),
    branch: optionalText,
    subject: optionalText.describe('The first line of the commit message.'),
  })
  .meta({ id: 'revision' });

const condition = z.strictObject({
  type: z.enum(conditionTypes),
  status: z.enum(conditionStatuses),
  reason: text,
  message: text,
  since: time,
});

const resource = z.strictObject({
  address: text,
  kind: text,
  sync_status: z.enum(syncStatuses),
  note: optionalText.describe('Why the resource is not in sync.'),
  depends_on: texts.describe(
    'The addresses of the parent and of all referenced resources, in the account or in the manifests.',
  ),
  added_dependencies: optionalTexts.describe('Dependencies that the pending change of the resource adds.'),
  removed_dependencies: optionalTexts.describe('Dependencies that the pending change of the resource removes.'),
  source: optionalText.describe('file:line'),
  expires_at: optionalTime,
});

const pending = z.strictObject({
  address: text,
  action,
  reason: z.enum(pendingReasons).describe('Why the change is pending.'),
  summary: text.describe('Why the change is pending, as text.'),
  waits_for: optionalText.describe('If `reason` is `dependency`: the address of the resource that must change first.'),
  message: text,
  cause: z.enum(changeCauses).optional().describe('Why the change is in the plan; absent if the cause is unknown.'),
  introduced_by: revision
    .optional()
    .describe('If the manifest changed: the first revision in which this process found the change.'),
  introduced_earlier: z
    .boolean()
    .optional()
    .describe(
      'True if `introduced_by` is the first revision that this process read: the change may be from an earlier revision.',
    ),
  hazards: z.array(z.strictObject({ code: text, address: text, message: text, temporary: z.boolean().optional() })),
  still_open: optionalTexts.describe(
    'For a change that restricts access: who still has access until the change is applied, one sentence each.',
  ),
  details: optionalText.describe(
    'The change as `sluice plan` prints it, with masked secrets; only for the first 100 changes. For the other changes, use `status.json?address=`.',
  ),
  fields: z
    .array(z.strictObject({ pointer: text, desired: text, actual: text }))
    .describe(
      'The fields that an update or a replacement changes, at most 100: JSON pointers and values as text, with masked secrets.',
    ),
  since: time,
  retry_at: optionalTime,
});

const approval = z.strictObject({ digest: text, by: text, time, reason: optionalText });

const applyStart = {
  start_time: time,
  trigger: z.enum(applyTriggers),
  requested: z
    .boolean()
    .optional()
    .describe('Whether the apply follows from a reconciliation that a user requested (`sluice reconcile`).'),
  revision: revision.optional(),
  digest: text,
  approvals: z.array(approval).describe('The approvals that the changes of the apply required.'),
};

const apply = z.strictObject({
  ...applyStart,
  end_time: time,
  changes: z.array(changeOutcomeJsonSchema),
  omitted: z
    .array(z.strictObject({ action, outcome: z.enum(endings), count }))
    .optional()
    .describe(
      'The changes that `changes` omits, as numbers by action and outcome: it has at most 1,000 of the last apply, and 200 of earlier ones.',
    ),
  requests: count,
  plan: optionalText.describe('The plan that was applied; only for the last 10 applies.'),
});

const accessSide = z.strictObject({
  audience: z
    .enum([...audiences, 'outside'])
    .describe(
      'Who can reach the URLs and addresses. `outside`: the endpoint that serves the address decides, not this stack.',
    ),
  who: text.describe('Who can reach the URLs and addresses, as text.'),
});

/** What a watch does now. */
export const activityJsonSchema = z.strictObject({
  type: z.enum(activityTypes),
  summary: text.describe('The activity as text.'),
  done: optionalCount.describe('For `applying`: how many changes are done.'),
  failed: optionalCount.describe('For `applying`: how many changes have failed.'),
  skipped: optionalCount.describe('For `applying`: how many changes were skipped because a dependency failed.'),
  total: optionalCount.describe('For `applying`: how many changes there are.'),
  changes: optionalCount.describe('For `waiting-for-approval`: how many changes require approval.'),
  holder: optionalText.describe(
    'For `waiting-for-lock`: the process that holds the lock. For `elsewhere`: the replica that watches the stack.',
  ),
  until: optionalTime.describe(
    'When the activity ends without an action of a user, such as the time of the next attempt.',
  ),
});

/** The shape of `/status.json`: the one definition of the document, its type and its JSON Schema. */
export const statusJsonSchema = z.strictObject({
  format_version: z.literal('1.0'),
  version: text.describe('The version of sluice.'),
  stack: z.strictObject({ name: text, id: text }),
  directory: optionalText.describe('The directory of the stack on the machine that runs the watch.'),
  time: time.describe('When this process reported the status.'),
  start_time: time.describe('When this process started.'),
  role: z.enum(watchRoles),
  leader: optionalText.describe('The leader, if this process is a standby.'),
  leader_url: optionalText.describe('The URL of the status page of the leader, if known.'),
  leader_heartbeat: optionalTime.describe('The time of the last heartbeat of the leader that this process has seen.'),
  leader_recorded: z
    .strictObject({
      ready: condition.describe('The condition `Ready`.'),
      action_required: texts.describe('What a user must resolve.'),
    })
    .optional()
    .describe('The status of the stack, as last recorded by the leader. The leader records each change of the status.'),
  pause: z
    .strictObject({
      until: optionalTime.describe('When the pause ends; absent if it lasts until `sluice resume`.'),
      start_time: optionalTime,
      by: optionalText,
      reason: optionalText,
    })
    .optional()
    .describe('Who paused the watch, when and why; `sluice resume` ends it.'),
  activity: activityJsonSchema.describe('The current activity of this process.'),
  conditions: z.array(condition),
  action_required: z
    .array(z.strictObject({ count, summary: text.describe('What a user must resolve, and how often.') }))
    .describe('What a user must resolve; empty if no action is required.'),
  revision: revision.optional().describe('The last revision that this process has read.'),
  last_good_revision: revision.optional().describe('The last revision without errors; absent if it is `revision`.'),
  observed_revision: revision.optional().describe('The last revision that was compared with the account.'),
  applied_revision: revision.optional().describe('The last revision that was in sync or completely applied.'),
  last_success: optionalTime.describe('When all resources were last in sync or applied.'),
  last_refreshed: optionalTime.describe('When the whole account was last read.'),
  next_refresh: optionalTime,
  summary: z.record(text, count).describe('The number of resources by sync status.'),
  resources_total: count.describe('The total number of resources, on all pages.'),
  next_page: optionalText.describe(
    'The URL of the next page of resources, relative to the URL of this page; absent on the last page.',
  ),
  resources: z.array(resource).describe('The resources, most urgent first, 1,000 per page.'),
  pending_total: count.describe('The number of changes that are not applied yet.'),
  pending: z.array(pending).describe('Changes that are not applied yet, at most 1,000.'),
  approval_digest: optionalText.describe(
    'The digest of the changes that require approval: the argument of `sluice approve`.',
  ),
  approval_plan: optionalText.describe(
    'The warnings about the changes that `approval_digest` approves, and their plan, as `sluice plan` prints them, with masked secrets.',
  ),
  approval_summary: z
    .strictObject({
      changes: z
        .array(z.strictObject({ action, kind: text, count }))
        .describe('How many changes there are, by action and kind.'),
      hazards: z
        .array(z.strictObject({ code: z.enum(hazardCodes), count }))
        .describe('How many hazards there are, by code, the most severe first.'),
      follows: z
        .array(z.strictObject({ action, address: text }))
        .describe('Changes that depend only on the approved changes, and are applied automatically after them.'),
    })
    .optional()
    .describe('A summary of the changes that `approval_digest` approves, and of the changes that follow.'),
  approval_access: z
    .strictObject({
      compared: z
        .array(
          z.strictObject({
            effect: z.enum(accessEffects).describe('The effect of the approval on access to the URLs and addresses.'),
            urls: texts.describe(
              'The first URLs and addresses; a URL that ends with `…` stands for all URLs with that prefix.',
            ),
            total: count.describe('The total number of URLs and addresses.'),
            now: accessSide.describe('Who can reach the URLs and addresses now.'),
            after: accessSide.describe(
              'Who can reach the URLs and addresses after the approved changes, and after the changes that the watch then applies without another approval.',
            ),
          }),
        )
        .describe('The compared URLs and addresses; those that become reachable for more clients come first.'),
      omitted: count.describe('How many URLs and addresses are omitted.'),
    })
    .optional()
    .describe(
      'Who can reach the URLs and addresses that the changes affect, now and after the approval. Other URLs and addresses do not change.',
    ),
  approval_obstacle: z
    .enum(approvalObstacles)
    .optional()
    .describe('What delays the apply of approved changes; absent if nothing delays it.'),
  approval_given: approval
    .optional()
    .describe('An approval of these changes that is not used yet: the watch applies them once nothing delays that.'),
  approval_ways: z
    .array(z.enum(approvalWays))
    .describe(
      'How changes can be approved in addition to `sluice approve`: on the status page, or with a signed commit.',
    ),
  refused_approval: optionalText.describe(
    'Why an approval of the pending changes was not accepted: the newest approval commit, or a request that may have been used before.',
  ),
  applying: z
    .strictObject({
      ...applyStart,
      total: count,
      done: count.describe('How many changes are done.'),
      failed: count.describe('How many changes have failed; `failures` says why.'),
      skipped: count.describe('How many changes were skipped because a dependency failed.'),
      changes: z
        .array(
          z.strictObject({
            address: text,
            action,
            progress: z.enum(changeProgresses).describe('The progress of the change.'),
            details: optionalText.describe(
              'The change as `sluice plan` prints it; only for changes that are running, and for the first 10 until they are complete.',
            ),
            failed_dependency: optionalText.describe('For `skipped`: the address of the change that failed.'),
          }),
        )
        .describe('The changes in the order of the plan, at most 1,000.'),
    })
    .optional()
    .describe('The running apply.'),
  applies: z.array(apply).describe('The finished applies, newest first, at most 50.'),
  exposures_total: count.describe(
    'The number of resources with URLs that anyone can reach, although they are not meant to be public; `exposures` contains up to 1,000 of them.',
  ),
  exposures: z
    .array(z.strictObject({ address: text, message: text, urls: texts }))
    .describe('URLs that anyone can reach now, although they are not meant to be public.'),
  exposure_total: optionalCount.describe('The number of rows; `exposure` contains up to 1,000 of them.'),
  exposure: z
    .array(
      z.strictObject({
        public: z.boolean().describe('Whether anyone can reach the URLs.'),
        who: text.describe('Who can reach the URLs.'),
        urls: texts.describe('The URLs; a URL that ends with `…` stands for all URLs with that prefix.'),
        edge: text,
        route: text,
      }),
    )
    .optional()
    .describe('Who can reach which URLs, as `sluice exposure` lists them; absent before the first refresh.'),
  addresses_total: optionalCount.describe(
    'The number of addresses that clients use without an edge; `addresses` contains up to 1,000 of them.',
  ),
  addresses: z
    .array(
      z.strictObject({
        address: text.describe('The address of the resource, `Kind/name`.'),
        at: optionalText.describe(
          'The address for clients, `host:port` or a domain; absent if the service assigned it after the last refresh.',
        ),
        who: text.describe('Who can reach the address.'),
      }),
    )
    .optional()
    .describe('Addresses that clients use without an edge, such as reserved TCP addresses.'),
  rule_breaches_total: count.describe(
    'The number of broken access rules by route; `rule_breaches` contains up to 1,000 of them.',
  ),
  rule_breaches: z
    .array(
      z.strictObject({
        rule: text,
        set_by: z.enum(['repository', 'operator']),
        address: text.describe('The route that handles the request.'),
        request: optionalText.describe('A request that breaks the rule.'),
        message: text,
        source: placeJsonSchema.optional().describe('The route in the manifests.'),
        rule_source: placeJsonSchema.optional().describe('The rule in sluice.yaml, or in the operator policy.'),
      }),
    )
    .describe('Access rules that are broken now, by route.'),
  drift_conflicts_total: count.describe(
    'The number of drift conflicts; `drift_conflicts` contains up to 1,000 of them.',
  ),
  drift_conflicts: z
    .array(
      z.strictObject({
        address: text,
        pointer: text,
        desired: text,
        actual: text,
        count: count.describe('How often sluice repaired the field.'),
        since: time,
      }),
    )
    .describe('Fields that another client reverts each time sluice repairs them.'),
  failures_total: count.describe('The number of failures; `failures` contains up to 1,000 of them.'),
  failures: z.array(
    z.strictObject({
      scope: text.describe('The scope of the failure: `manifests`, `account` or the address of a resource.'),
      code: text,
      message: text,
      hint: optionalText,
      status: z.int().optional().describe('The HTTP status with which the service refused a change.'),
      details: optionalText.describe('The failed change as `sluice plan` prints it; only for the first 100 failures.'),
      since: time,
      attempts: count,
      next_attempt: optionalTime,
    }),
  ),
  diagnostics_total: count.describe(
    'The number of errors, warnings and notes; `diagnostics` contains up to 1,000 of them, errors first.',
  ),
  diagnostics: z.array(diagnosticJsonSchema),
});

/** A status as JSON. */
export type StatusJson = z.infer<typeof statusJsonSchema>;
