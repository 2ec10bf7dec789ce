import * as z from 'zod';
import { endings } from '../../model/outcome.ts';
import { actions } from '../../model/plan.ts';
import { diagnosticJsonSchema } from '../diagnostics/diagnostic-json-schema.ts';

/*
 * What `/status.json` answers. Within format 1 fields may be added and words may join an enumeration; none changes its
 * meaning or goes away.
 */
const text = z.string();
const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .describe('RFC 3339, in UTC.');
const count = z.int().min(0);
const action = z.enum(actions);

const revision = z.strictObject({
  content: text.describe('A digest of all that was read.'),
  commit: text.optional(),
  branch: text.optional(),
  subject: text.optional(),
});

const condition = z.strictObject({
  type: z.enum(['Ready', 'Reconciling', 'Stalled']),
  status: z.boolean(),
  reason: text,
  message: text,
  since: time,
});

const resource = z.strictObject({
  address: text,
  kind: text,
  standing: z.enum(['unknown', 'in-sync', 'changing', 'applying', 'drifted', 'waiting', 'fight', 'failed']),
  note: text.optional(),
  needs: z.array(text).describe('The addresses it refers to or lives in.'),
  source: text.optional().describe('file:line'),
  expires_at: time.optional(),
});

const waiting = z.strictObject({
  address: text,
  action,
  waits_for: z.enum(['approval', 'protected', 'switch', 'retry', 'fight', 'resolve', 'another', 'manifest']),
  why: text,
  hazards: z.array(z.strictObject({ code: text, address: text, message: text, momentary: z.boolean().optional() })),
  since: time,
  until: time.optional(),
});

const apply = z.strictObject({
  began: time,
  ended: time,
  why: z.enum(['revision', 'drift', 'approval', 'renewal', 'retry']),
  revision: revision.optional(),
  digest: text,
  changes: z.array(
    z.strictObject({
      address: text,
      action,
      outcome: z.enum(endings),
      id: text.optional(),
      message: text.optional(),
      because: text.optional(),
      code: text.optional(),
      status: z.int().optional(),
    }),
  ),
  requests: count,
  plan: text,
});

/** The shape of `/status.json`: the one definition of the document, its type and its JSON Schema. */
export const statusJsonSchema = z.strictObject({
  format_version: z.literal('1.0'),
  version: text.describe('Of sluice.'),
  stack: z.strictObject({ name: text, id: text }),
  time: time.describe('The moment it tells of.'),
  began: time,
  role: z.enum(['leading', 'standing-by', 'paused', 'stopping']),
  leader: text.optional(),
  pause: z.strictObject({ until: time, reason: text.optional() }).optional(),
  conditions: z.array(condition),
  revision: revision.optional().describe('As last read.'),
  in_force: revision.optional().describe('As last read without an error.'),
  last_success: time.optional(),
  looked: time.optional().describe('When the account was last looked at as a whole.'),
  next: time.optional(),
  summary: z.record(text, count).describe('How many resources stand in each way.'),
  resources: z.array(resource),
  waiting: z.array(waiting),
  approve: text.optional().describe('What `sluice approve` takes.'),
  applying: z.strictObject({ began: time, digest: text, total: count, done: count, running: z.array(text) }).optional(),
  applies: z.array(apply).describe('Those that have ended, newest first, at most 50.'),
  fights: z.array(
    z.strictObject({ address: text, pointer: text, ours: text, theirs: text, times: count, since: time }),
  ),
  troubles: z.array(
    z.strictObject({
      cause: text,
      code: text,
      message: text,
      hint: text.optional(),
      since: time,
      tries: count,
      next_try: time.optional(),
    }),
  ),
  diagnostics: z.array(diagnosticJsonSchema),
});

/** A status as JSON. */
export type StatusJson = z.infer<typeof statusJsonSchema>;

/** The JSON Schema of a status as JSON. */
export function jsonSchemaOfStatus(): Record<string, unknown> {
  return { ...z.toJSONSchema(statusJsonSchema), title: 'The status of a watching sluice' };
}
