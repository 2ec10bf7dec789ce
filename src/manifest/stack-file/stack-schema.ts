import * as z from 'zod';
import { listenAddress, listenPattern } from '../../model/exposure/listen-pattern.ts';
import { setting } from './setting.ts';
import { durationPattern, secondsIn } from '../../derive/duration.ts';
import { kinds } from '../../kinds/index.ts';
import { hazardCodes } from '../../model/plan/plan.ts';
import { accessSchema } from './access-schema.ts';
import { defaultStatePath } from './default-state-path.ts';
import { notificationEvents } from './notification-events.ts';
import { variablesSchema } from './variables-schema.ts';

/** An address to serve at. The pattern is in the JSON Schema as well. */
const listenSchema = z
  .string()
  .regex(listenPattern, 'must be host:port, or false')
  .refine(
    (written) => !listenPattern.test(written) || listenAddress(written) !== undefined,
    'must have a port of at most 65535',
  );

/** How the name of a region is written, of AWS or of another service, such as `RegionOne` of OpenStack. */
export const regionForm = /^[A-Za-z0-9_-]+$/;

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
    op: setting(z.enum(['add', 'replace', 'test']), 'Set, replace or compare a value.'),
    path: pointer,
    value: z.json().meta({ description: 'The value.', examples: ['Shop (staging)', ['shop.staging.example.com:443']] }),
  }),
  z.strictObject({ op: z.literal('remove').describe('Remove a field or an item.'), path: pointer }),
  z.strictObject({
    op: setting(z.enum(['move', 'copy']), 'Move or copy a value.'),
    from: setting(pointer, 'The source of the value, as a JSON pointer.'),
    path: pointer,
  }),
]);

const patch = setting(
  z.strictObject({
    target: setting(
      z
        .strictObject({
          kind: text.meta({ description: 'Kind of the manifests to change.', examples: kindNames }),
          name: setting(
            text.exactOptional(),
            'Name as in the address (of a route, `edge:name` or `edge:match`); * matches any characters.',
            'shop',
            'shop:/cart',
            'shop:*',
          ),
          labels: setting(z.record(z.string(), z.string()).exactOptional(), 'Labels that the manifest must have.', {
            team: 'web',
          }),
        })
        .refine(({ name, labels }) => name !== undefined || labels !== undefined, 'must have a name or labels'),
      'The manifests to change.',
      { kind: aKind, name: 'shop' },
    ),
    patch: setting(z.array(operation), 'Operations of a JSON Patch (RFC 6902), in this order.', [
      { op: 'replace', path: '/spec/description', value: 'Shop (staging)' },
    ]),
  }),
  'Changes (RFC 6902) to the manifests of one kind, by name and labels.',
);

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
const key = setting(
  credential,
  'Environment variable with the API key, never the key itself. If the variable is not set, the variable with the suffix _FILE gives the path of a file with the key.',
  { from_env: 'SLUICE_API_KEY' },
);

const api = z.strictObject({
  base_url: setting(
    z.string().default('embedded'),
    'URL of the API, or "embedded" for the built-in emulator.',
    'https://api.example.com',
    'embedded',
  ),
  vendor: setting(
    z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must be letters, digits and hyphens, beginning with a letter')
      .default('example'),
    'Vendor name in the header <Vendor>-Version.',
    'example',
  ),
  profile: setting(
    z.enum(['completed', 'documented']).default('completed'),
    'API profile: the operations that the service offers.',
  ),
  proxy: setting(
    z
      .string()
      .regex(/^(https?:\/\/)?[^\s/@?#]+\/?$/i, 'must be http://host:port, without user name and password')
      .optional(),
    'HTTP proxy to the API and webhooks, http://host:port; credentials only in SLUICE_PROXY.',
    'http://proxy.example.com:3128',
  ),
  ca_file: setting(text.optional(), 'PEM file of additional trusted certificate authorities.', 'certs/company-ca.pem'),
  key: key.default({ from_env: 'SLUICE_API_KEY' }),
  rate_limit: setting(
    z
      .string()
      .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,4}s$/, 'must be requests per time window, such as 120/60s')
      .optional(),
    'Maximum number of requests in a rolling window, such as 120/60s.',
    '120/60s',
  ),
});

const percent = z.string().regex(/^(100|[1-9]?\d)%$/, 'must be a number, or a percentage such as 25%');

/** How many resources one apply may delete. */
export const deletionLimit = z.union([z.int().min(0), percent]);

/** Hazards that can block a change, by name: what is public already is no change. */
export const hazardList = z.array(z.enum(hazardCodes).exclude(['PUBLICLY_EXPOSED']));

const policy = z.strictObject({
  max_deletes: setting(
    deletionLimit.default('25%'),
    'Maximum number of resources that one apply may delete: a number or a percentage.',
    '25%',
    3,
  ),
  block: setting(hazardList.default([]), 'Hazards that block an apply unless `--allow` names them.', [
    'OPENS_ACCESS',
    'LOSES_ADDRESS',
  ]),
});

const duration = z
  .string()
  .regex(new RegExp(durationPattern), { error: 'must be a duration, such as 30s or 5m', abort: true })
  .refine((written) => secondsIn(written) !== undefined, 'must be a duration of at most 100 years');

const notify = z.strictObject({
  url: setting(credential, 'Environment variable with the webhook URL, because the URL may be a secret.', {
    from_env: 'SLUICE_WEBHOOK_URL',
  }),
  format: setting(z.enum(['generic', 'slack']).default('generic'), 'Format of the payload.'),
  secret: setting(
    credential.optional(),
    'Environment variable with the secret that signs the payload (HMAC-SHA256), for format generic.',
    { from_env: 'SLUICE_WEBHOOK_SECRET' },
  ),
  on: setting(z.array(z.enum(notificationEvents)).default([...notificationEvents]), 'Events to report.', [
    'failed',
    'recovered',
  ]),
});

const watch = z.strictObject({
  apply_on_change: setting(z.boolean().default(true), 'Apply when manifests change.', false),
  heal_drift: setting(z.boolean().default(false), 'Revert drift.', true),
  prune: setting(z.boolean().default(false), 'Delete resources that are no longer in the manifests.', true),
  renew: setting(z.boolean().default(true), 'Renew certificates before they expire.', false),
  kinds: setting(
    z.record(z.string(), z.enum(['report', 'heal'])).default({}),
    'What to do about drift, by kind: report or heal. Overrides heal_drift.',
    { [aKind]: 'heal' },
  ),
  interval: setting(duration.default('5m'), 'The interval of full refreshes of the account.', '5m', '1h'),
  debounce: setting(
    duration.default('1s'),
    'How long the files must be unchanged before sluice reads them.',
    '1s',
    '5s',
  ),
  scan_interval: setting(
    duration.default('10s'),
    'The interval of full scans of the files, in addition to file events.',
    '10s',
    '1m',
  ),
  poll: setting(z.boolean().default(false), 'True: poll only, without file events.', true),
  max_retry_delay: setting(duration.default('10m'), 'The longest delay before a failure is retried.', '10m'),
  listen: setting(
    z.union([z.literal(false), listenSchema]).default('127.0.0.1:9470'),
    'Address of the listener for the status page, metrics and probes; false: no listener.',
    '127.0.0.1:9470',
    '0.0.0.0:9470',
    false,
  ),
  listen_probes: setting(
    z.union([z.literal(false), listenSchema]).default(false),
    'Address of an additional listener for probes only; false: no listener.',
    '0.0.0.0:9471',
    false,
  ),
  notify: setting(z.array(notify).default([]), 'Webhooks and the events they receive.', [
    { url: { from_env: 'SLUICE_WEBHOOK_URL' }, on: ['failed', 'recovered'] },
  ]),
});

const secrets = z.strictObject({
  dirs: setting(z.array(text).default([]), 'Additional directories that from_file may read.', ['../secrets']),
  env_files: setting(
    z.array(text).default([]),
    'Files of NAME=value lines for from_env, read again for each run. The environment wins.',
    ['/run/secrets/shop.env'],
  ),
});

const postgres = setting(
  z.strictObject({
    url: setting(
      credential,
      'Environment variable with the URL of the database: postgresql://user:password@host:5432/database.',
      { from_env: 'SLUICE_STATE_URL' },
    ),
    schema: setting(
      z
        .string()
        .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be lower-case letters, digits and underscores')
        .default('sluice'),
      'Schema of the table.',
      'sluice',
    ),
  }),
  'Stores state and lock in a PostgreSQL database that all runs share.',
  { url: { from_env: 'SLUICE_STATE_URL' } },
);

const s3 = setting(
  z.strictObject({
    bucket: setting(
      z
        .string()
        .regex(
          /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
          'must be the name of a bucket: lower-case letters, digits, hyphens, dots',
        ),
      'Bucket; it must exist.',
      'company-sluice',
    ),
    prefix: setting(
      z
        .string()
        .regex(/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*\/?$/, 'must be letters, digits and . _ - between single slashes')
        .refine((path) => !path.split('/').some((part) => /^\.+$/.test(part)), 'must not have . or .. as a part')
        .default('sluice'),
      'Key prefix of all objects; sluice appends the id of the stack.',
      'sluice',
      'teams/web',
    ),
    region: setting(
      z.string().regex(regionForm, 'must be the name of a region, such as eu-central-1').optional(),
      'Region; AWS_REGION by default.',
      'eu-central-1',
    ),
    endpoint: setting(
      text.optional(),
      'URL of a service other than AWS; AWS_ENDPOINT_URL_S3 by default.',
      'https://s3.example.com',
    ),
    path_style: setting(
      z.boolean().optional(),
      'Use path-style URLs. By default true with an endpoint, and false for AWS.',
      true,
    ),
  }),
  'Stores state and lock in an S3 or S3-compatible bucket that all runs share.',
  { bucket: 'company-sluice', region: 'eu-central-1' },
);

const lease = setting(
  z.strictObject({
    duration: setting(
      duration.default('60s'),
      'Lease duration: a run without a heartbeat for this long is considered dead.',
      '60s',
    ),
    heartbeat: setting(duration.default('10s'), 'Time between two heartbeats.', '10s'),
    store_deadline: setting(duration.default('5s'), 'How long one request to the store may take.', '5s'),
    write_deadline: setting(duration.default('30s'), 'How long one write to the API may take.', '30s'),
    margin: setting(duration.default('10s'), 'Safety margin for clocks that run at different rates.', '10s'),
  }),
  'Durations of the lock in a shared store.',
  { duration: '60s', heartbeat: '10s' },
);

/** Where state and lock are stored. */
export const stateSettings = z.strictObject({
  path: setting(
    text
      .regex(
        /^(?![A-Za-z][A-Za-z0-9+.-]+:\/\/)/,
        'must be the path of a file; set `state.s3` for a bucket, or `state.postgres` for a database',
      )
      .optional(),
    `State file; ${defaultStatePath} by default.`,
    defaultStatePath,
    '/var/lib/sluice/shop.json',
  ),
  postgres: postgres.optional(),
  s3: s3.optional(),
  lease: lease.prefault({}),
});

/** The settings of a `sluice.yaml` with their defaults. */
export const stackSchema = z.strictObject({
  version: setting(z.literal(1), 'Version of the format of this file.'),
  stack: setting(
    z.strictObject({
      name: setting(stackName, 'Name of the stack, part of every ownership marker.', 'production'),
      id: setting(
        z.string().regex(/^[0-9a-f]{8}$/, 'must be 8 hexadecimal digits, as `sluice init` writes them'),
        'Random id that `sluice init` writes, part of every ownership marker.',
        '7f3a9c21',
      ),
    }),
    'Name and id of the stack.',
    { name: 'production', id: '7f3a9c21' },
  ),
  manifests: setting(z.array(text).default([]), 'Files and directories with manifests, relative to sluice.yaml.', [
    'manifests',
    '../shared/edges.yaml',
  ]),
  patches: setting(z.array(patch).default([]), 'Patches of manifests, such as for one environment.', [
    { target: { kind: aKind, name: 'shop' }, patch: [{ op: 'remove', path: '/spec/description' }] },
  ]),
  vars: setting(
    variablesSchema.prefault({}),
    'Variables for manifests: {var: NAME} and {template: "https://${var.NAME}/"}.',
    { host: 'shop.example.com', domains: { type: 'list', default: ['example.com'] } },
  ),
  api: setting(api.prefault({}), 'The service: its URL, vendor, profile and API key.', {
    base_url: 'https://api.example.com',
    vendor: 'example',
  }),
  policy: setting(
    policy.prefault({}),
    'What an apply may do: how many resources it may delete, and which hazards block it.',
    { max_deletes: 3, block: ['OPENS_ACCESS'] },
  ),
  access: setting(
    accessSchema.prefault({}),
    'Access rules: which URLs are meant to be public, and what other URLs require.',
    { public: ['www.example.com/*'] },
  ),
  state: setting(stateSettings.prefault({}), 'Where state and lock are stored.', {
    path: '/var/lib/sluice/state.json',
  }),
  secrets: setting(secrets.prefault({}), 'Additional sources of secrets and values.', { dirs: ['../secrets'] }),
  env_prefixes: setting(
    z.array(text).optional(),
    'Expected name prefixes of the variables in from_env. Any other name causes a warning.',
    ['SHOP_'],
  ),
  marker: setting(z.boolean().default(true), 'False: created resources carry no ownership marker.', false),
  watch: setting(watch.prefault({}), 'How `sluice watch` reconciles.', { heal_drift: true, interval: '5m' }),
});

/** A `sluice.yaml` with its defaults filled in. */
export type StackSettings = z.infer<typeof stackSchema>;
