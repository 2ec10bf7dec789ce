import * as z from 'zod';
import { credentialSource, durationSetting, setting, urlText } from './setting-forms.ts';
import { kinds } from '../../kinds/index.ts';
import { hazardCodes } from '../../model/plan/plan.ts';
import { accessSchema } from './access-schema.ts';
import { defaultStatePath } from './default-state-path.ts';
import { watchSchema } from './watch-schema.ts';
import { variablesSchema } from './variables-schema.ts';

/** How the name of a region is written, of AWS or of another service, such as `RegionOne` of OpenStack. */
export const regionForm = /^[A-Za-z0-9_-]+$/;

/** The most characters of a stack's name, which is part of every ownership marker. */
export const mostOfStackName = 32;

/** What a stack may be called. */
export const stackName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'must be a DNS label: lower-case letters, digits and inner hyphens')
  .max(mostOfStackName, `must be at most ${mostOfStackName} characters long`);

const idForm = 'must be 8 hexadecimal digits; `sluice init --new-id` writes a new id';

const kindNames = kinds.all.map(({ name }) => name);
const [aKind = ''] = kindNames;

const text = z.string().min(1, 'must not be empty');
const pointer = z
  .string()
  .min(1, { error: 'must be the path of a field: a patch cannot remove or replace a whole manifest', abort: true })
  .regex(/^\//, 'must be a JSON pointer, such as /spec/description')
  .meta({
    description: 'The field of the manifest to change or compare, as a JSON pointer.',
    examples: ['/spec/description', '/metadata/labels/team'],
  });

const operation = z.discriminatedUnion('op', [
  z.strictObject({
    op: setting(
      z.enum(['add', 'replace', 'test']),
      '`add` or `replace` sets a value; `test` compares a value, and the patch fails if it differs.',
    ),
    path: pointer,
    value: setting(z.json(), 'The value to set or compare.', 'Shop (staging)', ['shop.staging.example.com:443']),
  }),
  z.strictObject({
    op: z.literal('remove').describe('Removes a field of the manifest, or an item of a list.'),
    path: pointer,
  }),
  z.strictObject({
    op: setting(z.enum(['move', 'copy']), '`move` moves a value to another field; `copy` keeps the original as well.'),
    from: setting(pointer, 'The field from which the value is moved or copied, as a JSON pointer.'),
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
            'Name of the manifests to change, as in their address (for a route, `edge:name` or `edge:match`); * matches any text.',
            'shop',
            'shop:/cart',
            'shop:*',
          ),
          labels: setting(
            z.record(z.string(), z.string()).exactOptional(),
            'Labels of the manifests to change; a manifest must have all of them.',
            { team: 'web' },
          ),
        })
        .refine(({ name, labels }) => name !== undefined || labels !== undefined, 'must have `name` or `labels`'),
      'Which manifests the patch changes.',
      { kind: aKind, name: 'shop' },
    ),
    patch: setting(z.array(operation), 'Operations of the patch (JSON Patch, RFC 6902), applied in this order.', [
      { op: 'replace', path: '/spec/description', value: 'Shop (staging)' },
    ]),
  }),
  'A patch: changes (RFC 6902) to manifests of one kind, selected by name or labels.',
);

const key = setting(
  credentialSource,
  'Environment variable with the API key, never the key itself. If the variable is not set, the variable with the suffix _FILE must contain the path of a file with the key.',
  { from_env: 'SLUICE_API_KEY' },
);

const api = z.strictObject({
  base_url: setting(
    urlText.default('embedded'),
    'URL of the API, or `embedded` for the built-in emulator.',
    'https://api.example.com',
    'embedded',
  ),
  vendor: setting(
    z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must contain only letters, digits and hyphens, and begin with a letter')
      .default('example'),
    'Vendor name of the service, as in its header <Vendor>-Version.',
    'example',
  ),
  profile: setting(
    z.enum(['completed', 'documented']).default('completed'),
    'API profile of the service: `documented` if it offers only the operations of the API description, `completed` if it also offers operations that the description lacks.',
  ),
  proxy: setting(
    z
      .string()
      .regex(/^(https?:\/\/)?[^\s/@?#]+\/?$/i, 'must be http://host:port, without user name and password')
      .optional(),
    'HTTP proxy (http://host:port) for requests to the API and to webhooks. If the proxy needs credentials, set the environment variable SLUICE_PROXY instead.',
    'http://proxy.example.com:3128',
  ),
  ca_file: setting(
    text.optional(),
    'PEM file with certificates of additional certificate authorities that sluice trusts.',
    'certs/company-ca.pem',
  ),
  key: key.default({ from_env: 'SLUICE_API_KEY' }),
  rate_limit: setting(
    z
      .string()
      .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,4}s$/, 'must be a number of requests per time window, such as 120/60s')
      .optional(),
    'Maximum number of API requests in a rolling time window, such as 120/60s (120 requests in 60 seconds).',
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
    'Maximum number of resources that one apply may delete: a number, or a percentage of the resources of the stack.',
    '25%',
    3,
  ),
  block: setting(
    hazardList.default([]),
    'Codes of hazards (dangerous effects of a change) that block an apply unless `--allow` lists them.',
    ['OPENS_ACCESS', 'LOSES_ADDRESS'],
  ),
});

const secrets = z.strictObject({
  dirs: setting(z.array(text).default([]), 'Additional directories from which `from_file` may read files.', [
    '../secrets',
  ]),
  env_files: setting(
    z.array(text).default([]),
    'Files with lines NAME=value from which `from_env` reads variables that are not set in the environment; each run reads the files again.',
    ['/run/secrets/shop.env'],
  ),
});

const postgres = setting(
  z.strictObject({
    url: setting(
      credentialSource,
      'Environment variable with the URL of the database: postgresql://user:password@host:5432/database.',
      { from_env: 'SLUICE_STATE_URL' },
    ),
    schema: setting(
      z
        .string()
        .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must contain only lower-case letters, digits and underscores')
        .default('sluice'),
      'Database schema of the table that contains state and lock.',
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
          'must be the name of a bucket: lower-case letters, digits, hyphens and dots',
        ),
      'Name of an existing bucket.',
      'company-sluice',
    ),
    prefix: setting(
      z
        .string()
        .regex(
          /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*\/?$/,
          'must be a key prefix such as teams/web: letters, digits, `.`, `_` and `-`, with single slashes between the parts',
        )
        .refine((path) => !path.split('/').some((part) => /^\.+$/.test(part)), 'must not contain the parts `.` or `..`')
        .default('sluice'),
      'Prefix of the keys of all objects in the bucket; sluice appends the id of the stack.',
      'sluice',
      'teams/web',
    ),
    region: setting(
      z.string().regex(regionForm, 'must be the name of an AWS region, such as eu-central-1').optional(),
      'Region of the bucket; by default, the value of AWS_REGION or AWS_DEFAULT_REGION.',
      'eu-central-1',
    ),
    endpoint: setting(
      urlText.min(1, 'must not be empty').optional(),
      'URL of an S3-compatible service other than AWS; by default, the value of AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL.',
      'https://s3.example.com',
    ),
    path_style: setting(
      z.boolean().optional(),
      'True: the bucket is a part of the path of URLs, not of the host. By default true if an endpoint is set, otherwise false.',
      true,
    ),
  }),
  'Stores state and lock in an S3 or S3-compatible bucket that all runs share.',
  { bucket: 'company-sluice', region: 'eu-central-1' },
);

const lease = setting(
  z.strictObject({
    duration: setting(
      durationSetting.default('60s'),
      'Lease duration: a run without a heartbeat for this long is considered dead.',
      '60s',
    ),
    heartbeat: setting(
      durationSetting.default('10s'),
      'Time between two heartbeats, with which a run renews its lock.',
      '10s',
    ),
    store_deadline: setting(durationSetting.default('5s'), 'Time limit of one request to the state store.', '5s'),
    write_deadline: setting(durationSetting.default('30s'), 'Time limit of one write request to the API.', '30s'),
    margin: setting(
      durationSetting.default('10s'),
      'How much earlier than the end of its lock a run stops writing, because clocks run at different rates.',
      '10s',
    ),
  }),
  'Durations and time limits of the state lock in a shared store.',
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
    `Path of the state file; by default ${defaultStatePath}.`,
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
      name: setting(stackName, 'Name of the stack; part of every ownership marker.', 'production'),
      id: setting(
        z.string(idForm).regex(/^[0-9a-f]{8}$/, idForm),
        'Random id of the stack, written by `sluice init`; part of every ownership marker.',
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
  patches: setting(
    z.array(patch).default([]),
    'Patches that sluice applies to the manifests each time it reads them, such as for one environment; the files do not change.',
    [{ target: { kind: aKind, name: 'shop' }, patch: [{ op: 'remove', path: '/spec/description' }] }],
  ),
  vars: setting(
    variablesSchema.prefault({}),
    'Variables that manifests can use, as {var: NAME} or {template: "https://${var.NAME}/"}.',
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
  secrets: setting(
    secrets.prefault({}),
    'Additional directories for `from_file`, and additional files for `from_env`.',
    { dirs: ['../secrets'] },
  ),
  env_prefixes: setting(
    z.array(text).optional(),
    'Expected prefixes of the environment variables in `from_env`; sluice warns about any other name.',
    ['SHOP_'],
  ),
  marker: setting(
    z.boolean().default(true),
    'False: sluice writes no ownership marker into the resources that it creates.',
    false,
  ),
  watch: setting(watchSchema.prefault({}), 'How `sluice watch` reconciles.', { heal_drift: true, interval: '5m' }),
});

/** A `sluice.yaml` with its defaults filled in. */
export type StackSettings = z.infer<typeof stackSchema>;
