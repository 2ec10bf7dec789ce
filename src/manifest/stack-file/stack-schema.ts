import * as z from 'zod';
import { kinds } from '../../kinds/index.ts';
import { hazardCodes } from '../../model/plan/plan.ts';
import { accessSchema } from './access-schema.ts';
import { defaultStatePath } from './default-state-path.ts';
import { regionForm } from './region-form.ts';
import { credentialSource, durationSetting } from './setting-forms.ts';
import { variablesSchema } from './variables-schema.ts';
import { watchSchema } from './watch-schema.ts';

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
  .min(1, { error: 'must be the path of a field: a patch cannot remove or replace a whole manifest', abort: true })
  .regex(/^\//, 'must be a JSON pointer, such as /spec/description')
  .meta({
    description: 'The field of the manifest to change or compare, as a JSON pointer.',
    examples: ['/spec/description', '/metadata/labels/team'],
  });

const operation = z.discriminatedUnion('op', [
  z.strictObject({
    op: z
      .enum(['add', 'replace', 'test'])
      .describe('`add` or `replace` sets a value; `test` compares a value, and the patch fails if it differs.'),
    path: pointer,
    value: z.json().meta({
      description: 'The value to set or compare.',
      examples: ['Shop (staging)', ['shop.staging.example.com:443']],
    }),
  }),
  z.strictObject({
    op: z.literal('remove').describe('Removes a field of the manifest, or an item of a list.'),
    path: pointer,
  }),
  z.strictObject({
    op: z.enum(['move', 'copy']).describe('Moves or copies a value to another field.'),
    from: pointer.describe('The field from which the value is moved or copied, as a JSON pointer.'),
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
          .describe(
            'Name of the manifests to change, as in their address (for a route, `edge:name` or `edge:match`); * matches any text.',
          )
          .meta({ examples: ['shop', 'shop:/cart', 'shop:*'] }),
        labels: z
          .record(z.string(), z.string())
          .exactOptional()
          .describe('Labels of the manifests to change; a manifest must have all of them.')
          .meta({ examples: [{ team: 'web' }] }),
      })
      .refine(({ name, labels }) => name !== undefined || labels !== undefined, 'must have `name` or `labels`')
      .describe('Which manifests the patch changes.')
      .meta({ examples: [{ kind: aKind, name: 'shop' }] }),
    patch: z
      .array(operation)
      .describe('Operations of the patch (JSON Patch, RFC 6902), applied in this order.')
      .meta({ examples: [[{ op: 'replace', path: '/spec/description', value: 'Shop (staging)' }]] }),
  })
  .describe('A patch: changes (RFC 6902) to manifests of one kind, selected by name or labels.');

const key = credentialSource
  .describe(
    'Environment variable with the API key, never the key itself. If the variable is not set, the variable with the suffix _FILE gives the path of a file with the key.',
  )
  .meta({ examples: [{ from_env: 'SLUICE_API_KEY' }] });

const api = z.strictObject({
  base_url: z
    .string()
    .default('embedded')
    .describe('URL of the API, or `embedded` for the built-in emulator.')
    .meta({ examples: ['https://api.example.com', 'embedded'] }),
  vendor: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must contain only letters, digits and hyphens, and begin with a letter')
    .default('example')
    .describe('Vendor name of the service, as in its header <Vendor>-Version.')
    .meta({ examples: ['example'] }),
  profile: z
    .enum(['completed', 'documented'])
    .default('completed')
    .describe(
      'API profile of the service: `documented` if it offers only the operations of the API description, `completed` if it also offers operations that the description lacks.',
    ),
  proxy: z
    .string()
    .regex(/^(https?:\/\/)?[^\s/@?#]+\/?$/i, 'must be http://host:port, without user name and password')
    .optional()
    .describe(
      'HTTP proxy (http://host:port) for requests to the API and to webhooks. If the proxy needs credentials, set the environment variable SLUICE_PROXY instead.',
    )
    .meta({ examples: ['http://proxy.example.com:3128'] }),
  ca_file: text
    .optional()
    .describe('PEM file with certificates of additional certificate authorities that sluice trusts.')
    .meta({ examples: ['certs/company-ca.pem'] }),
  key: key.default({ from_env: 'SLUICE_API_KEY' }),
  rate_limit: z
    .string()
    .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,4}s$/, 'must be a number of requests per time window, such as 120/60s')
    .optional()
    .describe('Maximum number of API requests in a rolling time window, such as 120/60s (120 requests in 60 seconds).')
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
    .describe(
      'Maximum number of resources that one apply may delete: a number, or a percentage of the resources of the stack.',
    )
    .meta({ examples: ['25%', 3] }),
  block: hazardList
    .default([])
    .describe('Codes of hazards (dangerous effects of a change) that block an apply unless `--allow` lists them.')
    .meta({ examples: [['OPENS_ACCESS', 'LOSES_ADDRESS']] }),
});

const secrets = z.strictObject({
  dirs: z
    .array(text)
    .default([])
    .describe('Additional directories from which `from_file` may read files.')
    .meta({ examples: [['../secrets']] }),
  env_files: z
    .array(text)
    .default([])
    .describe(
      'Files with lines NAME=value from which `from_env` takes variables that are not set in the environment; each run reads the files again.',
    )
    .meta({ examples: [['/run/secrets/shop.env']] }),
});

const postgres = z
  .strictObject({
    url: credentialSource
      .describe('Environment variable with the URL of the database: postgresql://user:password@host:5432/database.')
      .meta({ examples: [{ from_env: 'SLUICE_STATE_URL' }] }),
    schema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must contain only lower-case letters, digits and underscores')
      .default('sluice')
      .describe('Database schema of the table that contains state and lock.')
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
        'must be the name of a bucket: lower-case letters, digits, hyphens and dots',
      )
      .describe('Name of an existing bucket.')
      .meta({ examples: ['company-sluice'] }),
    prefix: z
      .string()
      .regex(
        /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*\/?$/,
        'must be a key prefix such as teams/web: letters, digits, `.`, `_` and `-`, with single slashes between the parts',
      )
      .refine((path) => !path.split('/').some((part) => /^\.+$/.test(part)), 'must not contain the parts `.` or `..`')
      .default('sluice')
      .describe('Prefix of the keys of all objects in the bucket; sluice appends the id of the stack.')
      .meta({ examples: ['sluice', 'teams/web'] }),
    region: z
      .string()
      .regex(regionForm, 'must be the name of an AWS region, such as eu-central-1')
      .optional()
      .describe('Region of the bucket; by default, the value of AWS_REGION.')
      .meta({ examples: ['eu-central-1'] }),
    endpoint: text
      .optional()
      .describe('URL of an S3-compatible service other than AWS; by default, the value of AWS_ENDPOINT_URL_S3.')
      .meta({ examples: ['https://s3.example.com'] }),
    path_style: z
      .boolean()
      .optional()
      .describe(
        'True: the bucket is a part of the path of URLs, not of the host. By default true if an endpoint is set, otherwise false.',
      )
      .meta({ examples: [true] }),
  })
  .describe('Stores state and lock in an S3 or S3-compatible bucket that all runs share.')
  .meta({ examples: [{ bucket: 'company-sluice', region: 'eu-central-1' }] });

const lease = z
  .strictObject({
    duration: durationSetting
      .default('60s')
      .describe('Lease duration: a run without a heartbeat for this long is considered dead.')
      .meta({ examples: ['60s'] }),
    heartbeat: durationSetting
      .default('10s')
      .describe('Time between two heartbeats, with which a run renews its lock.')
      .meta({ examples: ['10s'] }),
    store_deadline: durationSetting
      .default('5s')
      .describe('Time limit of one request to the state store.')
      .meta({ examples: ['5s'] }),
    write_deadline: durationSetting
      .default('30s')
      .describe('Time limit of one write request to the API.')
      .meta({ examples: ['30s'] }),
    margin: durationSetting
      .default('10s')
      .describe('How much earlier than the end of its lock a run stops writing, because clocks run at different rates.')
      .meta({ examples: ['10s'] }),
  })
  .describe('Durations and time limits of the state lock in a shared store.')
  .meta({ examples: [{ duration: '60s', heartbeat: '10s' }] });

/** Where state and lock are stored. */
export const stateSettings = z.strictObject({
  path: text
    .regex(
      /^(?![A-Za-z][A-Za-z0-9+.-]+:\/\/)/,
      'must be the path of a file; set `state.s3` for a bucket, or `state.postgres` for a database',
    )
    .optional()
    .describe(`Path of the state file; by default ${defaultStatePath}.`)
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
      name: stackName.describe('Name of the stack; part of every ownership marker.').meta({ examples: ['production'] }),
      id: z
        .string()
        .regex(/^[0-9a-f]{8}$/, 'must be 8 hexadecimal digits; `sluice init --new-id` writes a new id')
        .describe('Random id of the stack, written by `sluice init`; part of every ownership marker.')
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
    .describe('Changes to manifests that are made each time they are read, such as for one environment.')
    .meta({
      examples: [[{ target: { kind: aKind, name: 'shop' }, patch: [{ op: 'remove', path: '/spec/description' }] }]],
    }),
  vars: variablesSchema
    .prefault({})
    .describe('Variables that manifests can use, as {var: NAME} or {template: "https://${var.NAME}/"}.')
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
    .describe('Additional directories for `from_file`, and additional files for `from_env`.')
    .meta({ examples: [{ dirs: ['../secrets'] }] }),
  env_prefixes: z
    .array(text)
    .optional()
    .describe(
      'Prefixes with which the names of the variables in `from_env` should begin. Any other name causes a warning.',
    )
    .meta({ examples: [['SHOP_']] }),
  marker: z
    .boolean()
    .default(true)
    .describe('False: sluice writes no ownership marker into the resources that it creates.')
    .meta({ examples: [false] }),
  watch: watchSchema
    .prefault({})
    .describe('How `sluice watch` reconciles.')
    .meta({ examples: [{ heal_drift: true, interval: '5m' }] }),
});

/** A `sluice.yaml` with its defaults filled in. */
export type StackSettings = z.infer<typeof stackSchema>;
