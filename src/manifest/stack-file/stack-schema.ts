import * as z from 'zod';
import { durationPattern, secondsIn } from '../../derive/duration.ts';
import { listenPattern } from '../../model/listen-pattern.ts';
import { hazardCodes } from '../../model/plan.ts';
import { defaultStatePath } from './default-state-path.ts';

/** The most characters of a stack's name, which is part of every ownership marker. */
export const mostOfStackName = 32;

/** What a stack may be called. */
export const stackName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'must be a DNS label: lower-case letters, digits and inner hyphens')
  .max(mostOfStackName, `must be at most ${mostOfStackName} characters long`);

const text = z.string().min(1, 'must not be empty');
const pointer = z.string().regex(/^\//, 'must be a JSON pointer, such as /spec/description');

const operation = z.discriminatedUnion('op', [
  z.strictObject({ op: z.enum(['add', 'replace', 'test']), path: pointer, value: z.json() }),
  z.strictObject({ op: z.literal('remove'), path: pointer }),
  z.strictObject({ op: z.enum(['move', 'copy']), from: pointer, path: pointer }),
]);

const patch = z
  .strictObject({
    target: z
      .strictObject({
        kind: text.describe('Kind of the manifests to change.'),
        name: text
          .exactOptional()
          .describe('Name, as in the address: of a route `edge:name` or `edge:match`; * matches any text.'),
        labels: z.record(z.string(), z.string()).exactOptional().describe('Labels that the manifest must have.'),
      })
      .refine(({ name, labels }) => name !== undefined || labels !== undefined, 'must have a name or labels')
      .describe('The manifests to change.'),
    patch: z.array(operation),
  })
  .describe('Changes (RFC 6902) to the manifests of one kind, by name and labels.');

// Whoever edits a stack file must not be able to name any variable of a pipeline; those with VAR are not secret.
const credential = z.strictObject({
  from_env: z
    .string()
    .regex(/^SLUICE_(?!VAR_)[A-Z0-9_]+$/, 'must be a variable whose name begins with SLUICE_, such as SLUICE_API_KEY'),
});
const key = credential.describe(
  'Environment variable with the API key; a name that ends in _FILE gives the path of a file. Never the key itself.',
);

const api = z.strictObject({
  base_url: z.string().default('embedded').describe('URL of the API, or "embedded" for the built-in emulator.'),
  vendor: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must be letters, digits and hyphens, beginning with a letter')
    .default('example')
    .describe('Vendor name in the header <Vendor>-Version.'),
  profile: z
    .enum(['completed', 'documented'])
    .default('completed')
    .describe('API profile: the operations that the service offers.'),
  proxy: z
    .string()
    .regex(/^(https?:\/\/)?[^\s/@?#]+\/?$/i, 'must be http://host:port, without user name and password')
    .optional()
    .describe('HTTP proxy to the API and webhooks, http://host:port; credentials only in SLUICE_PROXY.'),
  ca_file: text.optional().describe('PEM file of additional trusted certificate authorities.'),
  key: key.default({ from_env: 'SLUICE_API_KEY' }),
  rate_limit: z
    .string()
    .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,4}s$/, 'must be requests per time window, such as 120/60s')
    .optional()
    .describe('Requests in a rolling window, such as 120/60s.'),
});

const percent = z.string().regex(/^(100|[1-9]?\d)%$/, 'must be a number, or a percentage such as 25%');

const policy = z.strictObject({
  max_deletes: z
    .union([z.int().min(0), percent])
    .default('25%')
    .describe('How many resources one apply may delete: a number or a percentage.'),
  block: z.array(z.enum(hazardCodes)).default([]).describe('Hazards that block an apply unless they are allowed.'),
});

// A host may begin with `*.`, a path may end with `*`; a port is optional.
const publicUrl = z
  .string()
  .regex(
    /^(\*|(\*\.)?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*)(:[0-9]{1,5})?(\/[^\s*]*\*?)?$/,
    'must be a host with a path, such as www.example.com/* or *.example.com/status',
  );

const access = z.strictObject({
  public: z
    .array(publicUrl)
    .optional()
    .describe('URLs that are meant to be public, such as www.example.com/*; all others must require access control.'),
});

const duration = z
  .string()
  .regex(new RegExp(durationPattern), 'must be a duration, such as 30s or 5m')
  .refine((written) => secondsIn(written) !== undefined, 'must be a duration of at most 100 years');

const notify = z.strictObject({
  url: credential.describe('Webhook URL; the URL itself may be a secret.'),
  format: z.enum(['generic', 'slack']).default('generic').describe('Format of the payload.'),
  secret: credential.optional().describe('Secret that signs the payload (HMAC-SHA256), with format generic.'),
  on: z
    .array(z.enum(['failed', 'recovered', 'drifted', 'pending', 'drift-conflict', 'exposed']))
    .default(['failed', 'recovered', 'drifted', 'pending', 'drift-conflict', 'exposed'])
    .describe('Events to report.'),
});

const watch = z.strictObject({
  apply_on_change: z.boolean().default(true).describe('Apply when manifests change.'),
  heal_drift: z.boolean().default(false).describe('Revert drift.'),
  prune: z.boolean().default(false).describe('Delete resources that are no longer in the manifests.'),
  renew: z.boolean().default(true).describe('Renew certificates before they expire.'),
  kinds: z
    .record(z.string(), z.enum(['report', 'heal']))
    .default({})
    .describe('Drift by kind: report or heal.'),
  interval: duration.default('5m').describe('The interval of full refreshes of the account.'),
  debounce: duration.default('1s').describe('How long the files must be unchanged before they are read.'),
  scan_interval: duration
    .default('10s')
    .describe('The interval of full scans of the files, in addition to file events.'),
  poll: z.boolean().default(false).describe('True: poll only, without file events.'),
  max_retry_delay: duration.default('10m').describe('The longest delay before a failure is retried.'),
  listen: z
    .union([z.literal(false), z.string().regex(listenPattern, 'must be host:port, or false')])
    .default('127.0.0.1:9470')
    .describe('Where the status page, metrics and probes are served, or false.'),
  notify: z.array(notify).default([]).describe('Webhooks and the events they receive.'),
});

const secrets = z.strictObject({
  dirs: z.array(text).default([]).describe('Additional directories that from_file may read.'),
  env_files: z.array(text).default([]).describe('Files of NAME=value, read again before from_env.'),
});

const postgres = z
  .strictObject({
    url: credential.describe(
      'Environment variable with the URL of the database: postgresql://user:password@host:5432/database.',
    ),
    schema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be lower-case letters, digits and underscores')
      .default('sluice')
      .describe('Schema of the table.'),
  })
  .describe('Keeps state and lock in a PostgreSQL database that all runs share.');

const s3 = z
  .strictObject({
    bucket: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
        'must be the name of a bucket: lower-case letters, digits, hyphens, dots',
      )
      .describe('Bucket; it must exist.'),
    prefix: z
      .string()
      .regex(/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*\/?$/, 'must be letters, digits and . _ - between slashes')
      .refine((path) => !path.split('/').some((part) => /^\.+$/.test(part)), 'must not contain . or ..')
      .default('sluice')
      .describe('Prefix of all objects; the id of the stack follows.'),
    region: z
      .string()
      .regex(/^[a-z0-9-]+$/, 'must be the name of a region, such as eu-central-1')
      .optional()
      .describe('Region; AWS_REGION by default.'),
    endpoint: text.optional().describe('URL of a service other than AWS; AWS_ENDPOINT_URL_S3 by default.'),
    path_style: z
      .boolean()
      .optional()
      .describe('True: the bucket is in the path of URLs; by default so with an endpoint, and not at AWS.'),
  })
  .describe('Keeps state and lock in a bucket of S3, or of a service like it, that all runs share.');

const lease = z
  .strictObject({
    duration: duration.default('60s').describe('A run without a heartbeat for so long is dead.'),
    heartbeat: duration.default('10s').describe('Time between two heartbeats.'),
    store_deadline: duration.default('5s').describe('How long one request to the store may take.'),
    write_deadline: duration.default('30s').describe('How long one write to the API may take.'),
    margin: duration.default('10s').describe('What is left for clocks that run at different rates.'),
  })
  .describe('Durations of the lock in a shared store.');

const state = z.strictObject({
  path: text.optional().describe(`State file; ${defaultStatePath} by default.`),
  postgres: postgres.optional(),
  s3: s3.optional(),
  lease: lease.prefault({}),
});

/** The settings of a `sluice.yaml` with their defaults. */
export const stackSchema = z.strictObject({
  version: z.literal(1).describe('Version of the format of this file.'),
  stack: z.strictObject({
    name: stackName.describe('Name of the stack, part of every ownership marker.'),
    id: z.string().regex(/^[0-9a-f]{8}$/, 'must be 8 hexadecimal digits, as `sluice init` writes them'),
  }),
  manifests: z.array(text).default([]).describe('Files and directories, relative to this file.'),
  patches: z.array(patch).default([]).describe('Changes to manifests, for one of several environments.'),
  api: api.prefault({}).describe('The service: its URL, vendor, profile and API key.'),
  policy: policy.prefault({}).describe('What an apply may do: limits on deletes, blocked hazards.'),
  access: access.prefault({}).describe('Who may reach what: which URLs are meant to be public.'),
  state: state.prefault({}).describe('Where state and lock are stored.'),
  secrets: secrets.prefault({}).describe('Further places for values from outside.'),
  env_prefixes: z
    .array(text)
    .optional()
    .describe('Allowed prefixes of the variables in from_env; others cause a warning.'),
  marker: z.boolean().default(true).describe('False: created resources carry no ownership marker.'),
  watch: watch.prefault({}).describe('How `sluice watch` reconciles.'),
});

/** A `sluice.yaml` with its defaults filled in. */
export type StackSettings = z.infer<typeof stackSchema>;
