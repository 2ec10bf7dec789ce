import * as z from 'zod';
import { requirements } from '../../model/exposure/access-rules.ts';
import { hazardCodes, reasons, writeMethods, unmanagedReasons } from '../../model/plan/plan.ts';
import { notApprovableCodes } from '../../plan/why-not-approvable.ts';
import { ruleJsonSchema } from '../access/rule-json-schema.ts';
import { diagnosticJsonSchema, placeJsonSchema } from '../diagnostics/diagnostic-json-schema.ts';

/*
 * The plan as JSON, in the shape of the plans that `terraform show -json` prints (its format 1), so that policies
 * written for those read it. Fields that Terraform has not are added: source, reasons, hazards, requests, digest.
 */
const text = z.string();
const optionalText = text.optional();
const texts = z.array(text);
const optionalTexts = texts.optional();
const values = z.record(text, z.unknown());
const path = z.array(z.union([text, z.int()]));
const hazardCode = z.enum(hazardCodes);
const actions = z.union([
  z.tuple([z.enum(['no-op', 'create', 'update', 'delete', 'forget'])]),
  z.tuple([z.literal('create'), z.literal('delete')]),
  z.tuple([z.literal('delete'), z.literal('create')]),
]);

const patch = z
  .array(
    z.union([
      z.strictObject({ op: z.enum(['add', 'replace']), path: text, value: z.unknown() }),
      z.strictObject({ op: z.literal('remove'), path: text }),
    ]),
  )
  .describe('The JSON Patch (RFC 6902) from `before` to `after`; only for updates and adoptions.');

const change = z.strictObject({
  actions: actions.describe('The actions on the resource, in order of execution.'),
  before: values
    .nullable()
    .describe('The fields of the resource before the apply; null if the resource does not exist.'),
  after: values
    .nullable()
    .describe(
      'The fields of the resource after the apply; null if the resource will not exist. A secret is {sensitive, changed}; a value from the environment or a file also has from_env or from_file.',
    ),
  after_unknown: values.describe('The values that are known only after apply: true for each of them.'),
  before_sensitive: values.describe('The secrets in `before`: true for each of them.'),
  after_sensitive: values.describe('The secrets in `after`: true for each of them.'),
  replace_paths: z.array(path).describe('The fields that cannot be changed in place.'),
  importing: z.strictObject({ id: text }).optional().describe('The id of the adopted resource.'),
  patch: patch.optional(),
});

const resourceChange = z
  .strictObject({
    address: text,
    previous_address: optionalText,
    mode: z.literal('managed'),
    type: text.describe('The kind of the resource.'),
    name: text,
    id: optionalText,
    change,
    action_reason: z.enum(['replace_because_cannot_update', 'delete_because_no_resource_config']).optional(),
    source: placeJsonSchema.optional().describe('Where the manifests define the resource.'),
    last_source: optionalText.describe(
      'The last known place of the resource, `file:line`, if the resource is no longer in the manifests.',
    ),
    reasons: z.array(z.strictObject({ path, reason: z.enum(reasons) })),
    explanation: texts.describe('Why the change is necessary, as text.'),
    unmanaged_fields: z
      .record(text, z.enum(unmanagedReasons))
      .describe('The unmanaged fields: JSON pointers, each with the reason why sluice does not change the field.'),
    marker_only: z.boolean(),
    protected: z.boolean(),
    deleted_with: optionalText.describe(
      'The address of the resource whose deletion also deletes this resource (or the replaced instance), without a separate request.',
    ),
    blocked: z.strictObject({ code: text, message: text }).optional().describe('Why apply refuses the change.'),
    hazards: z.array(hazardCode),
    requests: texts.describe('The ids of the requests of the change.'),
  })
  .meta({ id: 'resource_change' });

const request = z.strictObject({
  id: text,
  address: text,
  method: z.enum(writeMethods),
  path: text.describe('The path of the request; an id that is not known yet is the address of the resource in braces.'),
  body: z.unknown().optional(),
  note: optionalText,
  depends_on: z.array(z.strictObject({ request: text, reason: text })),
});

const count = z.int().min(0);

/** The shape of a creation of an earlier run that only a person can resolve. */
export const unresolvedJsonSchema = z
  .array(
    z
      .strictObject({
        address: text,
        type: text.describe('The kind of the resource.'),
        parent: optionalText.describe('The id of the parent resource.'),
      })
      .meta({ id: 'unresolved_creation' }),
  )
  .describe('Creations of earlier runs whose response was lost, until `sluice state resolve` records their outcome.');

const verification = z.strictObject({
  converges: z.boolean().describe('Whether all changes complete in the simulated apply, and a plan after it is empty.'),
  requests: count.describe('The number of write requests in the simulated apply.'),
  failures: z.array(z.strictObject({ address: optionalText, message: text })),
  remaining_changes: z
    .array(z.strictObject({ address: text, action: text, fields: texts }))
    .describe('Changes that a plan after the simulated apply still contains, with the fields as JSON pointers.'),
  assumptions: texts.describe('What `--verify` does not check.'),
});

const optionalChanges = z.array(resourceChange).optional();

const parts = z.strictObject({
  base: z
    .strictObject({
      ref: text.describe('The git reference given with `--base`.'),
      commit: text.describe('The commit: the merge base of `ref` and HEAD.'),
      ahead: count.describe('The number of commits in `ref` that are not in `commit`.'),
    })
    .describe('The base commit: its manifests decide which changes were already pending.'),
  inseparable: optionalText.describe(
    'Why changes that were already pending cannot be shown separately; `this_change`, `already_pending` and the other parts are then absent.',
  ),
  this_change: optionalChanges.describe('Changes from the manifests of `base.commit` to the planned manifests.'),
  already_pending: optionalChanges.describe(
    'Changes from the account to the manifests of `base.commit`: pending even without `this_change`.',
  ),
  not_applied_yet: optionalChanges.describe(
    'The part of `already_pending` from the manifests of `applied.commit` to the manifests of `base.commit`.',
  ),
  drift: optionalChanges.describe(
    'The part of `already_pending` that reverts drift: from the account to the manifests of `applied.commit`.',
  ),
  applied: z
    .union([z.strictObject({ commit: text }), z.strictObject({ unknown: text })])
    .optional()
    .describe('The commit applied last, or why `already_pending` is not divided into its two parts.'),
  in_both: z
    .array(z.strictObject({ address: text, fields: texts }))
    .optional()
    .describe(
      'Resources that are in both `this_change` and `already_pending`, with the shared fields as JSON pointers.',
    ),
});

const reachability = z.strictObject({
  public: z.boolean().describe('Whether anyone can reach the URLs.'),
  reachable: z.boolean().describe('Whether requests to the URLs reach a backend or a traffic policy.'),
  who: text.describe('Who can reach the URLs, as text.'),
  requires: z
    .array(z.enum(requirements))
    .describe(
      'What every request except OPTIONS must satisfy; `named_users`: authentication that lists the allowed users.',
    ),
  route: optionalText.describe('The route that handles the requests; absent if no route handles them.'),
  backend: optionalText.describe('The id of the backend that serves the requests; absent if they reach none.'),
});

/** The shape of `plan --format json`: the one definition of the document, its type and its JSON Schema. */
export const planJsonSchema = z.strictObject({
  format_version: z.literal('1.0'),
  stack: z.strictObject({ name: text, id: text }),
  profile: z.enum(['completed', 'documented']),
  complete: z.boolean().describe('False for a targeted plan, which does not consider deletes.'),
  applyable: z.boolean().describe('Whether the plan has changes and no change is blocked.'),
  errored: z.literal(false),
  digest: optionalText.describe('The digest that `apply FILE --digest` requires.'),
  review_digest: optionalText.describe(
    'The digest that `publish-digest` publishes, and that `plan --check` and `apply --reviewed` require.',
  ),
  snapshot: z
    .strictObject({
      taken_at: text.describe('When the account was read.'),
      revision: optionalText.describe('The commit of the pipeline that took the snapshot.'),
    })
    .optional()
    .describe('The snapshot that the plan was made from. Such a plan compares no secrets and cannot be applied.'),
  not_approvable: z
    .array(z.strictObject({ code: z.enum(notApprovableCodes), message: text }))
    .optional()
    .describe('Why no digest can approve the plan; absent if the plan can be approved.'),
  saved_at: optionalText,
  timestamp: optionalText.describe('The time that determines which renewals are due.'),
  verification: verification
    .optional()
    .describe('The result of `--verify`: the plan applied to a copy of the account.'),
  parts: parts
    .optional()
    .describe(
      'The result of `--base`: the changes of the plan in parts. Hazards and access rules refer to the whole plan.',
    ),
  summary: z.strictObject({
    create: count,
    update: count,
    replace: count,
    delete: count,
    adopt: count,
    forget: count,
    write_file: count,
    record: count,
    unchanged: count,
    blocked: count,
    drifted: count.describe('How many resources changed outside sluice since the last apply.'),
    unresolved_creations: count.describe(
      'How many creations of earlier runs must be resolved with `sluice state resolve`.',
    ),
    unverified_secrets: count.describe(
      'How many secrets cannot be verified: the service does not return them, and they are not in the state.',
    ),
    requests: count,
    estimated_seconds: count
      .optional()
      .describe('The duration of the requests at the rate limit of the service, if known.'),
  }),
  unverified_secrets: z
    .array(
      z.strictObject({
        address: text,
        field: text.describe('The field of the secret, as a JSON pointer into the spec.'),
      }),
    )
    .describe('Secrets that cannot be verified; keep the state between runs, or send them with `--resend-secrets`.'),
  unresolved_creations: unresolvedJsonSchema,
  hazards: z.array(
    z.strictObject({
      code: hazardCode,
      address: text,
      message: text,
      temporary: z.boolean().optional().describe('Whether the hazard exists only during the apply.'),
      causes: optionalTexts.describe(
        'Addresses of the changes that cause the hazard, if different from `address`; empty if the hazard already exists in the account.',
      ),
      urls: optionalTexts.describe(
        'Every affected URL; a URL that ends with `…` stands for all URLs with that prefix.',
      ),
      asked: z
        .strictObject({
          before: text.describe(
            'What the URLs require now; empty: anyone can reach the URLs; `not reachable`: the URLs reach no backend.',
          ),
          after: text.describe('What the URLs require after the plan, in the same form as `before`.'),
        })
        .optional()
        .describe('The access control required before and after, as text.'),
      unlisted: z.literal(true).optional().describe('True if `access.public` is set and does not list the URLs.'),
      listed_by: z
        .enum(['repository', 'operator'])
        .optional()
        .describe(
          'Who lists the URLs in `access.public`: the repository or the operator policy. The `block` of the same source does not apply to the hazard.',
        ),
    }),
  ),
  public_by_policy: texts.describe('URLs that become public and are listed in `access.public`.'),
  exposure_changes: z
    .array(
      z.strictObject({
        urls: texts.describe('The URLs; a URL that ends with `…` stands for all URLs with that prefix.'),
        before: reachability.describe('Who can reach the URLs now.'),
        after: reachability.describe('Who can reach the URLs after the plan.'),
      }),
    )
    .describe(
      'URLs that the plan makes reachable, unreachable, or reachable for other clients or through another route, and URLs that reach another backend. `sluice exposure --plan FILE` lists all URLs.',
    ),
  access_rules: z
    .array(ruleJsonSchema)
    .optional()
    .describe('Whether the access rules hold; absent if `access` declares no rules.'),
  resource_changes: z.array(resourceChange).describe('All resources by address, including unchanged resources.'),
  resource_drift: z
    .array(resourceChange)
    .describe('Drift since the last apply: `before` is the applied state, `after` is the actual state.'),
  requests: z.array(request).describe('The requests of the plan, in order of execution.'),
  files: z.array(z.strictObject({ address: text, path: text, reason: z.enum(['issued', 'missing', 'different']) })),
  diagnostics: z.array(diagnosticJsonSchema),
});

/** A plan as JSON. */
export type PlanJson = z.infer<typeof planJsonSchema>;
