import { namePattern } from '../../model/name.ts';
import { durationPattern } from '../duration.ts';
import { strictObject, definition, type JsonSchema } from './field-schema.ts';

const text = { type: 'string', minLength: 1 };

const name = {
  description: 'The name of the resource: lower-case letters, digits and hyphens.',
  type: 'string',
  pattern: namePattern,
  examples: ['shop'],
};

const labels = {
  description: 'Labels for selection with -l; not sent to the service.',
  type: ['object', 'null'],
  additionalProperties: { type: 'string' },
  examples: [{ team: 'web' }],
};

const metadata = {
  description: 'The name and labels of the resource.',
  ...strictObject({ name: definition('name'), labels: definition('labels') }, ['name']),
  examples: [{ name: 'shop', labels: { team: 'web' } }],
};

const optionalName = {
  description: 'The name and labels of the resource; a resource without a name is identified by its match.',
  ...strictObject({ name: definition('name'), labels: definition('labels') }),
  type: ['object', 'null'],
  examples: [{ name: 'shop' }],
};

const lifecycleOf = (more: JsonSchema): JsonSchema => ({
  description: 'How sluice manages the resource; not sent to the service.',
  ...strictObject({
    protect: {
      description: 'Whether sluice refuses to delete or replace the resource.',
      type: ['boolean', 'null'],
      examples: [true],
    },
    on_remove: {
      description:
        'What happens when the manifest is removed: `delete` deletes the resource, `retain` only removes it from state.',
      enum: ['delete', 'retain', null],
    },
    ignore: {
      description: 'Fields that sluice does not manage: JSON pointers (RFC 6901) into spec.',
      type: ['array', 'null'],
      items: { type: 'string', pattern: '^(/([^~/]|~[01])*)+$' },
      examples: [['/description']],
    },
    adopt: {
      description: 'The id of an existing resource to adopt.',
      type: ['string', 'null'],
      minLength: 1,
      examples: ['edghts_2shopA7kq'],
    },
    adopt_from: {
      description: 'The id of the stack from which `adopt` may take the resource.',
      type: ['string', 'null'],
      pattern: '^[0-9a-f]{8}$',
      examples: ['7f3a9c21'],
    },
    moved_from: {
      description:
        'The former address of the resource, such as Kind/name, or a list of former addresses, latest first.',
      type: ['string', 'array', 'null'],
      pattern: '^[A-Za-z]+/.+$',
      items: { type: 'string', pattern: '^[A-Za-z]+/.+$' },
      minItems: 1,
      examples: ['Kind/old-name'],
    },
    ...more,
  }),
  type: ['object', 'null'],
  examples: [{ protect: true }],
  dependentRequired: { adopt_from: ['adopt'] },
});

const duration = { type: ['string', 'null'], pattern: durationPattern, examples: ['90d'] };

const renewal = {
  valid_for: {
    description: 'The validity period, from the start of the apply that creates the resource, such as 90d or 12h.',
    ...duration,
  },
  renew_before: {
    description:
      'The time before the expiry of the certificate from which a plan replaces the certificate. Must be shorter than the validity period.',
    ...duration,
  },
  certificate_file: {
    description: 'The file to which apply writes the issued certificate: a relative path inside the stack directory.',
    type: ['string', 'null'],
    minLength: 1,
    examples: ['certificates/bastion-cert.pub'],
  },
};

const variableName = {
  description: 'The name of a variable of sluice.yaml.',
  type: 'string',
  pattern: '^[a-z][a-z0-9_]*$',
  examples: ['host'],
};

const variable = {
  description: 'A variable of sluice.yaml, in place of the whole value.',
  ...strictObject({ var: variableName }, ['var']),
};

const value = {
  description:
    'A value from an environment variable, from a file inside the stack directory, or from variables of sluice.yaml.',
  ...strictObject({
    from_env: { description: 'The name of an environment variable.', ...text, examples: ['CLIENT_SECRET'] },
    from_file: {
      description: 'The path of a file, relative to the directory of the manifest.',
      ...text,
      examples: ['files/partners-ca.pem'],
    },
    var: variableName,
    template: {
      description: 'A string with variables of sluice.yaml.',
      type: 'string',
      examples: ['https://${var.host}/'],
    },
  }),
  minProperties: 1,
  maxProperties: 1,
};

const ref = {
  description: 'The name of the referenced resource, instead of its id.',
  ...strictObject({ ref: definition('name') }, ['ref']),
};

const taken = {
  description: 'The value of a field of another resource: from its manifest, or computed by the service.',
  ...strictObject(
    {
      ref: {
        description: 'The name of the resource, or Kind/name.',
        ...text,
        examples: ['mqtt'],
      },
      field: {
        description: 'The path of a string field, with dots between its parts, such as `provider.name`.',
        ...text,
        examples: ['addr'],
      },
    },
    ['ref', 'field'],
  ),
};

const output = {
  description: 'The value of a field of a resource of another stack in the same repository and account.',
  ...strictObject(
    {
      output: {
        description: 'The stack, the resource and the field.',
        ...strictObject(
          {
            stack: {
              description: 'The directory of the other stack, relative to the directory of this stack.',
              ...text,
              examples: ['../network'],
            },
            address: { description: 'The address of the resource in that stack.', ...text, examples: ['Kind/name'] },
            field: {
              description: 'The id, a computed field, or a field that identifies the resource.',
              ...text,
              examples: ['addr'],
            },
          },
          ['stack', 'address', 'field'],
        ),
        examples: [{ stack: '../network', address: 'Kind/name', field: 'addr' }],
      },
    },
    ['output'],
  ),
};

const moduleSets = {
  description:
    'Names of module sets to include; a module in this manifest replaces the whole included module of the same name.',
  type: ['array', 'null'],
  items: definition('name'),
  examples: [['staff-only']],
};

/** What manifests of all kinds share, by the name under `$defs`. */
export const sharedDefinitions: JsonSchema = {
  name,
  labels,
  metadata,
  optionalName,
  lifecycle: lifecycleOf({}),
  renewedLifecycle: lifecycleOf(renewal),
  value,
  variable,
  ref,
  taken,
  output,
  moduleSets,
};
