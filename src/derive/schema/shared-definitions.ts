import { namePattern } from '../../model/name.ts';
import { durationPattern } from '../duration.ts';
import { strictObject, definition, type JsonSchema } from './field-schema.ts';

const text = { type: 'string', minLength: 1 };

const textSchema = (description: string, example: string): JsonSchema => ({
  description,
  ...text,
  examples: [example],
});

const name = {
  description: 'The name of the resource: lower-case letters, digits and hyphens.',
  type: 'string',
  pattern: namePattern,
  examples: ['shop'],
};

const labels = {
  description: 'Labels by which the flag -l selects resources; sluice does not send them to the service.',
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
  description: 'How sluice manages the resource; sluice does not send these settings to the service.',
  ...strictObject({
    protect: {
      description: 'True: sluice refuses to delete or replace the resource.',
      type: ['boolean', 'null'],
      examples: [true],
    },
    on_remove: {
      description:
        'What happens when the manifest is removed: `delete` deletes the resource, `retain` only removes it from state.',
      enum: ['delete', 'retain', null],
    },
    ignore: {
      description: 'Fields of `spec` that sluice does not manage, as JSON pointers (RFC 6901) such as /description.',
      type: ['array', 'null'],
      items: { type: 'string', pattern: '^(/([^~/]|~[01])*)+$' },
      examples: [['/description']],
    },
    adopt: {
      description: 'The id of an existing resource that this manifest manages from now on.',
      type: ['string', 'null'],
      minLength: 1,
      examples: ['edghts_2shopA7kq'],
    },
    adopt_from: {
      description:
        'The id of the stack that managed the resource of `adopt` before; required if the resource has the ownership marker of that stack.',
      type: ['string', 'null'],
      pattern: '^[0-9a-f]{8}$',
      examples: ['7f3a9c21'],
    },
    moved_from: {
      description:
        'The former address of a renamed resource, such as Kind/name, or a list of its former addresses, latest first.',
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
    description: 'How long the certificate is valid, from the start of the apply that creates it, such as 90d or 12h.',
    ...duration,
  },
  renew_before: {
    description:
      'How long before its expiry the certificate is replaced, such as 30d. Must be shorter than the validity period.',
    ...duration,
  },
  certificate_file: {
    description:
      'The file to which `sluice apply` writes the issued certificate: a path relative to the stack directory and inside it.',
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
  description: 'The whole value comes from a variable of sluice.yaml.',
  ...strictObject({ var: variableName }, ['var']),
};

const value = {
  description:
    'A value from an environment variable, from a file inside the stack directory, or from variables of sluice.yaml.',
  ...strictObject({
    from_env: textSchema('The name of an environment variable.', 'CLIENT_SECRET'),
    from_file: textSchema('The path of a file, relative to the directory of the manifest.', 'files/partners-ca.pem'),
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
      ref: textSchema('The referenced resource, as its name or as Kind/name.', 'mqtt'),
      field: textSchema(
        'The referenced field: a string field, with dots between the parts of its path, such as `provider.name`.',
        'addr',
      ),
    },
    ['ref', 'field'],
  ),
};

const output = {
  description: 'The value of a field of a resource of another stack in the same repository and account.',
  ...strictObject(
    {
      output: {
        description: 'The other stack, its resource and the field of that resource.',
        ...strictObject(
          {
            stack: textSchema(
              'The directory of the other stack, relative to the directory of this stack.',
              '../network',
            ),
            address: textSchema('The address of the resource in the other stack.', 'Kind/name'),
            field: textSchema(
              'The referenced field of the resource: `id`, a field that the service computes, or a field that identifies the resource.',
              'addr',
            ),
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
    'Names of module sets whose modules the route includes. If the route also has one of these modules itself, its own module replaces the included one as a whole.',
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
