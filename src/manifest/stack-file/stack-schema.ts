import * as z from 'zod';
import { durationPattern, secondsIn } from '../../derive/duration.ts';
import { kinds } from '../../kinds/index.ts';
import { hazardCodes } from '../../model/plan/plan.ts';
import { accessSchema } from './access-schema.ts';
import { defaultStatePath } from './default-state-path.ts';
import { regionForm } from './region-form.ts';
import { notificationEvents } from './notification-events.ts';
import { variablesSchema } from './variables-schema.ts';
import { listenSchema } from './listen-schema.ts';

/** The most characters of a stack's name, which is part of every ownership marker. */
export const mostOfStackName = 32;

/** What a stack may be called. */
export const stackName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'must be a DNS label: lower-case letters, digits and inner hyphens')
  .max(mostOfStackName, `must be at most ${mostOfStackName} characters long`);

const kindNames = kinds.all.map(({ name }) => name);
const [aKind = ''] = kindNames;

const text = z.string().min(1, 'must not be empty');
const pointer = z
  .string()
  .min(1, { error: 'must name a field: a patch cannot remove or replace a whole manifest', abort: true })
  .regex(/^\//, 'must be a JSON pointer, such as /spec/description')
  .meta({
    description: 'A field of the manifest, as a JSON pointer.',
    examples: ['/spec/description', '/metadata/labels/team'],
  });

const operation = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.enum(['add', 'replace', 'test']).describe('Set, replace or compare a value.'),
    path: pointer,
    value: z.json().meta({ description: 'The value.', examples: ['Shop (staging)', ['shop.staging.example.com:443']] }),
  }),
  z.strictObject({ op: z.literal('remove').describe('Remove a field or an item.'), path: pointer }),
  z.strictObject({
    op: z.enum(['move', 'copy']).describe('Move or copy a value.'),
    from: pointer.describe('The source of the value, as a JSON pointer.'),
    path: pointer,
  }),
]);

const patch = z
  .strictObject({
    target: z
      .strictObject({
        kind: text.meta({ description: 'Kind of the manifests to change.', examples: kindNames }),
        name: text
          .exactOptional()
          .describe('Name as in the address (of a route, `edge:name` or `edge:match`); * matches any characters.')
          .meta({ examples: ['shop', 'shop:/cart', 'shop:*'] }),
        labels: z
          .record(z.string(), z.string())
          .exactOptional()
          .describe('Labels that the manifest must have.')
          .meta({ examples: [{ team: 'web' }] }),
      })
      .refine(({ name, labels }) => name !== undefined || labels !== undefined, 'must have a name or labels')
      .describe('The manifests to change.')
      .meta({ examples: [{ kind: aKind, name: 'shop' }] }),
    patch: z
      .array(operation)
      .describe('Operations of a JSON Patch (RFC 6902), in this order.')
      .meta({ examples: [[{ op: 'replace', path: '/spec/description', value: 'Shop (staging)' }]] }),
  })
  .describe('Changes (RFC 6902) to the manifests of one kind, by name and labels.');

// Whoever edits a stack file must not be able to name any variable of a pipeline; those with VAR are not secret.
const credential = z.strictObject({
  from_env: z
    .string()
    .regex(/^SLUICE_(?!VAR_)[A-Z0-9_]+$/, 'must begin with SLUICE_ and not SLUICE_VAR_, such as SLUICE_API_KEY')
    .meta({
      description: 'Name of the environment variable; must begin with SLUICE_.',
      examples: ['SLUICE_API_KEY', 'SLUICE_WEBHOOK_URL'],
    }),
});
const key = credential
  .describe(
    'Environment variable with the API key, never the key itself. If the variable is not set, the variable with the suffix _FILE gives the path of a file with the key.',
  )
  .meta({ examples: [{ from_env: 'SLUICE_API_KEY' }] });

const api = z.strictObject({
  base_url: z
    .string()
    .default('embedded')
    .describe('URL of the API, or "embedded" for the built-in emulator.')
    .meta({ examples: ['https://api.example.com', 'embedded'] }),
  vendor: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must be letters, digits and hyphens, beginning with a letter')
    .default('example')
    .describe('Vendor name in the header <Vendor>-Version.')
    .meta({ examples: ['example'] }),
  profile: z
    .enum(['completed', 'documented'])
    .default('completed')
    .describe('API profile: the operations that the service offers.'),
  proxy: z
    .string()
    .regex(/^(https?:\/\/)?[^\s/@?#]+\/?$/i, 'must be http://host:port, without user name and password')
    .optional()
    .describe('HTTP proxy to the API and webhooks, http://host:port; credentials only in SLUICE_PROXY.')
    .meta({ examples: ['http://proxy.example.com:3128'] }),
  ca_file: text
    .optional()
    .describe('PEM file of additional trusted certificate authorities.')
    .meta({ examples: ['certs/company-ca.pem'] }),
  key: key.default({ from_env: 'SLUICE_API_KEY' }),
  rate_limit: z
    .string()
    .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,4}s$/, 'must be requests per time window, such as 120/60s')
    .optional()
    .describe('Maximum number of requests in a rolling window, such as 120/60s.')
    .meta({ examples: ['120/60s'] }),
});

const percent = z.string().regex(/^(100|[1-9]?\d)%$/, 'must be a number, or a percentage such as 25%');

/** How many resources one apply may delete. */
export const deletionLimit = z.union([z.int().min(0), percent]);

/** Hazards that can block a change, by name: what is public already is no change. */
export const hazardList = z.array(z.enum(hazardCodes).exclude(['PUBLICLY_EXPOSED']));

const policy = z.strictObject({
  max_deletes: deletionLimit
    .default('25%')
    .describe('Maximum number of resources that one apply may delete: a number or a percentage.')
    .meta({ examples: ['25%', 3] }),
  block: hazardList
    .default([])
    .describe('Hazards that block an apply unless `--allow` names them.')
    .meta({ examples: [['OPENS_ACCESS', 'LOSES_ADDRESS']] }),
});

const duration = z
  .string()
  .regex(new RegExp(durationPattern), { error: 'must be a duration, such as 30s or 5m', abort: true })
  .refine((written) => secondsIn(written) !== undefined, 'must be a duration of at most 100 years');

const notify = z.strictObject({
  url: credential
    .describe('Environment variable with the webhook URL, because the URL may be a secret.')
    .meta({ examples: [{ from_env: 'SLUICE_WEBHOOK_URL' }] }),
  format: z.enum(['generic', 'slack']).default('generic').describe('Format of the payload.'),
  secret: credential
    .optional()
    .describe('Environment variable with the secret that signs the payload (HMAC-SHA256), for format generic.')
    .meta({ examples: [{ from_env: 'SLUICE_WEBHOOK_SECRET' }] }),
  on: z
    .array(z.enum(notificationEvents))
    .default([...notificationEvents])
    .describe('Events to report.')
    .meta({ examples: [['failed', 'recovered']] }),
});

const watch = z.strictObject({
  apply_on_change: z
    .boolean()
    .default(true)
    .describe('Apply when manifests change.')
    .meta({ examples: [false] }),
  heal_drift: z
    .boolean()
    .default(false)
    .describe('Revert drift.')
    .meta({ examples: [true] }),
  prune: z
    .boolean()
    .default(false)
    .describe('Delete resources that are no longer in the manifests.')
    .meta({ examples: [true] }),
  renew: z
    .boolean()
    .default(true)
    .describe('Renew certificates before they expire.')
    .meta({ examples: [false] }),
  kinds: z
    .record(z.string(), z.enum(['report', 'heal']))
    .default({})
    .describe('What to do about drift, by kind: report or heal. Overrides heal_drift.')
    .meta({ examples: [{ [aKind]: 'heal' }] }),
  interval: duration
    .default('5m')
    .describe('The interval of full refreshes of the account.')
    .meta({ examples: ['5m', '1h'] }),
  debounce: duration
    .default('1s')
    .describe('How long the files must be unchanged before sluice reads them.')
    .meta({ examples: ['1s', '5s'] }),
  scan_interval: duration
    .default('10s')
    .describe('The interval of full scans of the files, in addition to file events.')
    .meta({ examples: ['10s', '1m'] }),
  poll: z
    .boolean()
    .default(false)
    .describe('True: poll only, without file events.')
    .meta({ examples: [true] }),
  max_retry_delay: duration
    .default('10m')
    .describe('The longest delay before a failure is retried.')
    .meta({ examples: ['10m'] }),
  listen: z
    .union([z.literal(false), listenSchema])
    .default('127.0.0.1:9470')
    .describe('Address of the listener for the status page, metrics and probes; false: no listener.')
    .meta({ examples: ['127.0.0.1:9470', '0.0.0.0:9470', false] }),
  listen_probes: z
    .union([z.literal(false), listenSchema])
    .default(false)
    .describe('Address of an additional listener for probes only; false: no listener.')
    .meta({ examples: ['0.0.0.0:9471', false] }),
  notify: z
    .array(notify)
    .default([])
    .describe('Webhooks and the events they receive.')
    .meta({ examples: [[{ url: { from_env: 'SLUICE_WEBHOOK_URL' }, on: ['failed', 'recovered'] }]] }),
});

const secrets = z.strictObject({
  dirs: z
    .array(text)
    .default([])
    .describe('Additional directories that from_file may read.')
    .meta({ examples: [['../secrets']] }),
  env_files: z
    .array(text)
    .default([])
    .describe('Files of NAME=value lines for from_env, read again for each run. The environment wins.')
    .meta({ examples: [['/run/secrets/shop.env']] }),
});

const postgres = z
  .strictObject({
    url: credential
      .describe('Environment variable with the URL of the database: postgresql://user:password@host:5432/database.')
      .meta({ examples: [{ from_env: 'SLUICE_STATE_URL' }] }),
    schema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be lower-case letters, digits and underscores')
      .default('sluice')
      .describe('Schema of the table.')
      .meta({ examples: ['sluice'] }),
  })
  .describe('Stores state and lock in a PostgreSQL database that all runs share.')
  .meta({ examples: [{ url: { from_env: 'SLUICE_STATE_URL' } }] });

const s3 = z
  .strictObject({
    bucket: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
        'must be the name of a bucket: lower-case letters, digits, hyphens, dots',
      )
      .describe('Bucket; it must exist.')
      .meta({ examples: ['company-sluice'] }),
    prefix: z
      .string()
      .regex(/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*\/?$/, 'must be letters, digits and . _ - between single slashes')
      .refine((path) => !path.split('/').some((part) => /^\.+$/.test(part)), 'must not have . or .. as a part')
      .default('sluice')
      .describe('Key prefix of all objects; sluice appends the id of the stack.')
      .meta({ examples: ['sluice', 'teams/web'] }),
    region: z
      .string()
      .regex(regionForm, 'must be the name of a region, such as eu-central-1')
      .optional()
      .describe('Region; AWS_REGION by default.')
      .meta({ examples: ['eu-central-1'] }),
    endpoint: text
      .optional()
      .describe('URL of a service other than AWS; AWS_ENDPOINT_URL_S3 by default.')
      .meta({ examples: ['https://s3.example.com'] }),
    path_style: z
      .boolean()
      .optional()
      .describe('Use path-style URLs. By default true with an endpoint, and false for AWS.')
      .meta({ examples: [true] }),
  })
  .describe('Stores state and lock in an S3 or S3-compatible bucket that all runs share.')
  .meta({ examples: [{ bucket: 'company-sluice', region: 'eu-central-1' }] });

const lease = z
  .strictObject({
    duration: duration
      .default('60s')
      .describe('Lease duration: a run without a heartbeat for this long is considered dead.')
      .meta({ examples: ['60s'] }),
    heartbeat: duration
      .default('10s')
      .describe('Time between two heartbeats.')
      .meta({ examples: ['10s'] }),
    store_deadline: duration
      .default('5s')
      .describe('How long one request to the store may take.')
      .meta({ examples: ['5s'] }),
    write_deadline: duration
      .default('30s')
      .describe('How long one write to the API may take.')
      .meta({ examples: ['30s'] }),
    margin: duration
      .default('10s')
      .describe('Safety margin for clocks that run at different rates.')
      .meta({ examples: ['10s'] }),
  })
  .describe('Durations of the lock in a shared store.')
  .meta({ examples: [{ duration: '60s', heartbeat: '10s' }] });

/** Where state and lock are stored. */
export const stateSettings = z.strictObject({
  path: text
    .regex(
      /^(?![A-Za-z][A-Za-z0-9+.-]+:\/\/)/,
      'must be the path of a file; set `state.s3` for a bucket, or `state.postgres` for a database',
    )
    .optional()
    .describe(`State file; ${defaultStatePath} by default.`)
    .meta({ examples: [defaultStatePath, '/var/lib/sluice/shop.json'] }),
  postgres: postgres.optional(),
  s3: s3.optional(),
  lease: lease.prefault({}),
});

/** The settings of a `sluice.yaml` with their defaults. */
export const stackSchema = z.strictObject({
  version: z.literal(1).describe('Version of the format of this file.'),
  stack: z
    .strictObject({
      name: stackName.describe('Name of the stack, part of every ownership marker.').meta({ examples: ['production'] }),
      id: z
        .string()
        .regex(/^[0-9a-f]{8}$/, 'must be 8 hexadecimal digits, as `sluice init` writes them')
        .describe('Random id that `sluice init` writes, part of every ownership marker.')
        .meta({ examples: ['7f3a9c21'] }),
    })
    .describe('Name and id of the stack.')
    .meta({ examples: [{ name: 'production', id: '7f3a9c21' }] }),
  manifests: z
    .array(text)
    .default([])
    .describe('Files and directories with manifests, relative to sluice.yaml.')
    .meta({ examples: [['manifests', '../shared/edges.yaml']] }),
  patches: z
    .array(patch)
    .default([])
    .describe('Patches of manifests, such as for one environment.')
    .meta({
      examples: [[{ target: { kind: aKind, name: 'shop' }, patch: [{ op: 'remove', path: '/spec/description' }] }]],
    }),
  vars: variablesSchema
    .prefault({})
    .describe('Variables for manifests: {var: NAME} and {template: "https://${var.NAME}/"}.')
    .meta({ examples: [{ host: 'shop.example.com', domains: { type: 'list', default: ['example.com'] } }] }),
  api: api
    .prefault({})
    .describe('The service: its URL, vendor, profile and API key.')
    .meta({ examples: [{ base_url: 'https://api.example.com', vendor: 'example' }] }),
  policy: policy
    .prefault({})
    .describe('What an apply may do: how many resources it may delete, and which hazards block it.')
    .meta({ examples: [{ max_deletes: 3, block: ['OPENS_ACCESS'] }] }),
  access: accessSchema
    .prefault({})
    .describe('Access rules: which URLs are meant to be public, and what other URLs require.')
    .meta({ examples: [{ public: ['www.example.com/*'] }] }),
  state: stateSettings
    .prefault({})
    .describe('Where state and lock are stored.')
    .meta({ examples: [{ path: '/var/lib/sluice/state.json' }] }),
  secrets: secrets
    .prefault({})
    .describe('Additional sources of secrets and values.')
    .meta({ examples: [{ dirs: ['../secrets'] }] }),
  env_prefixes: z
    .array(text)
    .optional()
    .describe('Expected name prefixes of the variables in from_env. Any other name causes a warning.')
    .meta({ examples: [['SHOP_']] }),
  marker: z
    .boolean()
    .default(true)
    .describe('False: created resources carry no ownership marker.')
    .meta({ examples: [false] }),
  watch: watch
    .prefault({})
    .describe('How `sluice watch` reconciles.')
    .meta({ examples: [{ heal_drift: true, interval: '5m' }] }),
});

/** A `sluice.yaml` with its defaults filled in. */
export type StackSettings = z.infer<typeof stackSchema>;
