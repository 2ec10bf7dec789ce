import * as z from 'zod';
import { hazardCodes } from '../../model/plan.ts';
import { diagnosticJsonSchema, placeJsonSchema } from '../diagnostics/diagnostic-json-schema.ts';

/*
 * The plan as JSON, in the shape of the plans that `terraform show -json` prints (its format 1), so that policies
 * written for those read it. What Terraform has no word for stands beside: source, reasons, hazards, requests, digest.
 */
const text = z.string();
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
  .describe('What makes `after` of `before` (RFC 6902); of updates and adoptions only.');

const change = z.strictObject({
  actions: actions.describe('In the order they happen.'),
  before: values.nullable().describe('As the service has it; null where it does not exist.'),
  after: values
    .nullable()
    .describe(
      'As it will be; null where it will not exist. A secret is {sensitive, changed}, a value from outside that and its from_env or from_file.',
    ),
  after_unknown: values.describe('True wherever a value is known only to apply.'),
  before_sensitive: values.describe('True wherever `before` holds a secret.'),
  after_sensitive: values.describe('True wherever `after` holds a secret.'),
  replace_paths: z.array(path).describe('The fields that cannot change in place.'),
  importing: z.strictObject({ id: text }).optional().describe('The id of what is adopted.'),
  patch: patch.optional(),
});

const resourceChange = z.strictObject({
  address: text,
  previous_address: text.optional(),
  mode: z.literal('managed'),
  type: text.describe('The kind.'),
  name: text,
  id: text.optional(),
  change,
  action_reason: z.enum(['replace_because_cannot_update', 'delete_because_no_resource_config']).optional(),
  source: placeJsonSchema.optional().describe('Where it is written.'),
  last_source: text.optional().describe('Where it last stood, `file:line`, where it is written no more.'),
  reasons: z.array(z.strictObject({ path, reason: z.enum(['changed', 'drifted', 'both', 'unknown']) })),
  why: z.array(text).describe('In words.'),
  held: z.record(text, text).describe('Fields left as they are, by JSON pointer, with what holds them.'),
  marker_only: z.boolean(),
  protected: z.boolean(),
  goes_with: text.optional().describe('The address it, or its old life, goes with, without a request of its own.'),
  blocked: z.strictObject({ code: text, message: text }).optional().describe('Why apply refuses.'),
  hazards: z.array(hazardCode),
  requests: z.array(text).describe('Ids of the requests that carry it out.'),
});

const request = z.strictObject({
  id: text,
  address: text,
  method: z.enum(['POST', 'PATCH', 'PUT', 'DELETE']),
  path: text.describe('An id not known yet is the address of its resource in braces.'),
  body: z.unknown().optional(),
  note: text.optional(),
  after: z.array(z.strictObject({ step: text, because: text })),
});

const count = z.int().min(0);

/** The shape of a creation of an earlier run that only a person can resolve. */
export const unresolvedJsonSchema = z
  .array(
    z.strictObject({
      address: text,
      type: text.describe('The kind.'),
      parent: text.optional().describe('The id of the resource it would live in.'),
    }),
  )
  .describe('Creations of earlier runs whose answer was lost, until `state resolve` says what came of them.');

const verification = z.strictObject({
  converges: z.boolean().describe('Everything got done, and nothing was left to do.'),
  requests: count.describe('Write requests that it took.'),
  failures: z.array(z.strictObject({ address: text.optional(), message: text })),
  left: z
    .array(z.strictObject({ address: text, action: text, fields: z.array(text) }))
    .describe('What a plan made afterwards would still change, fields as JSON pointers.'),
  assumes: z.array(text).describe('What was taken for granted, so that nothing is proven of it.'),
});

/** The shape of `plan --format json`: the one definition of the document, its type and its JSON Schema. */
export const planJsonSchema = z.strictObject({
  format_version: z.literal('1.0'),
  stack: z.strictObject({ name: text, id: text }),
  profile: z.enum(['completed', 'documented']),
  complete: z.boolean().describe('False when the run was narrowed and deletes were not considered.'),
  applyable: z.boolean().describe('There is something to do, and nothing is blocked.'),
  errored: z.literal(false),
  digest: text.optional().describe('What `apply FILE --digest` holds a saved plan against.'),
  saved_at: text.optional(),
  timestamp: text.optional().describe('The moment by which it was judged what is due.'),
  verified: verification.optional().describe('Of `--verify`: what carrying it out on a copy of the account has shown.'),
  summary: z.strictObject({
    create: count,
    update: count,
    replace: count,
    delete: count,
    adopt: count,
    forget: count,
    write_file: count,
    unchanged: count,
    blocked: count,
    drifted: count.describe('Resources of which anything is not as the last apply left it.'),
    unresolved: count.describe('Creations of earlier runs that only a person can resolve.'),
    unverified: count.describe('Secrets that cannot be verified: the service hides them, and no state knows them.'),
    requests: count,
    estimated_seconds: count
      .optional()
      .describe('What the requests take at a limit of the service, where that is known.'),
  }),
  unverified: z
    .array(z.strictObject({ address: text, field: text.describe('A JSON pointer into the spec.') }))
    .describe('Secrets that cannot be verified; keep a state, or write them with `--resend-secrets`.'),
  unresolved_creations: unresolvedJsonSchema,
  hazards: z.array(
    z.strictObject({ code: hazardCode, address: text, message: text, momentary: z.boolean().optional() }),
  ),
  resource_changes: z.array(resourceChange).describe('Every resource, unchanged ones included, by address.'),
  resource_drift: z
    .array(resourceChange)
    .describe('What others changed since the last apply: before is what was applied, after is what is there.'),
  requests: z.array(request).describe('In order.'),
  files: z.array(z.strictObject({ address: text, path: text, why: text })),
  diagnostics: z.array(diagnosticJsonSchema),
});

/** A plan as JSON. */
export type PlanJson = z.infer<typeof planJsonSchema>;

/** The JSON Schema of a plan as JSON. */
export function jsonSchemaOfPlan(): Record<string, unknown> {
  return { ...z.toJSONSchema(planJsonSchema), title: 'A plan of sluice' };
}
