import * as z from 'zod';
import { idForm, isId } from '../../model/id.ts';
import { stateFields } from '../../state/document.ts';
import { commitName } from '../git/git-head.ts';

const text = z.string();
const { applied: _, ...shownState } = stateFields;
const id = text.refine(isId, `not an id (${idForm})`);
const values = z.record(text, z.unknown());
const keys = z
  .array(text)
  .describe('Hashes (HMAC with the salt) of the id of the resource and of its values that must be unique.');

const resource = z.strictObject({
  kind: text,
  id,
  parent: id.exactOptional().describe('The id of the parent resource.'),
  spec: values.describe(
    'The fields of the resource; a secret, or a value from the environment or a file, is {"$secret": …}, without a digest.',
  ),
  computed: values.describe('Values that the service sets.'),
  marker: z.strictObject({ s: text, a: text, p: text, n: text }).exactOptional().describe('The ownership marker.'),
  unmarkable: z.literal(true).exactOptional().describe('True if the metadata cannot store an ownership marker.'),
});

const endpoint = z.strictObject({
  id: text,
  url: text,
  hostport: text,
  server: text.exactOptional(),
  address: text.exactOptional(),
  metadata: text,
});

/** What a plan reads from the service and from state, in a file without secrets. */
export const snapshotSchema = z.strictObject({
  format: z.literal('sluice-snapshot/1'),
  stack: z.strictObject({ name: text, id: text }),
  account: text.describe('The address of the service.'),
  taken_at: z.iso.datetime().describe('When the account was read.'),
  revision: text.regex(commitName).exactOptional().describe('The commit of the pipeline that took the snapshot.'),
  salt: text.min(16),
  state: z.strictObject(shownState).exactOptional().describe('The state, without digests of secrets.'),
  resources: z.array(resource).describe('The resources of the stack and their nested resources.'),
  other_resources: z.array(z.strictObject({ kind: text, keys })).describe('Resources that the stack does not manage.'),
  endpoints: z.array(endpoint).describe('The endpoints of the resources of the stack.'),
  other_endpoints: z
    .array(z.strictObject({ keys, has_server: z.boolean() }))
    .describe('The endpoints that belong to no resource of the stack.'),
  integrity: text.describe('SHA-256 of the rest of the file, to detect damage.'),
});

/** A snapshot as it is in a file. */
export type SnapshotFile = z.infer<typeof snapshotSchema>;
