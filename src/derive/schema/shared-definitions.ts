import { namePattern } from '../../model/name.ts';
import { durationPattern } from '../duration.ts';
import { strictObject, definition, type JsonSchema } from './field-schema.ts';

const text = { type: 'string', minLength: 1 };

const name = {
  description: 'The name of the resource: lower-case letters, digits and hyphens.',
  type: 'string',
  pattern: namePattern,
};

const labels = {
  description: 'Labels for selection with -l; not sent to the service.',
  type: ['object', 'null'],
  additionalProperties: { type: 'string' },
};

const metadata = strictObject({ name: definition('name'), labels: definition('labels') }, ['name']);

const optionalName = {
  ...strictObject({ name: definition('name'), labels: definition('labels') }),
  type: ['object', 'null'],
};

const lifecycleOf = (more: JsonSchema): JsonSchema => ({
  description: 'How sluice manages the resource; not sent to the service.',
  ...strictObject({
    protect: { description: 'Whether sluice refuses to delete or replace the resource.', type: ['boolean', 'null'] },
    on_remove: {
      description:
        'What happens when the manifest is removed: `delete` deletes the resource, `retain` only removes it from state.',
      enum: ['delete', 'retain', null],
    },
    ignore: {
      description: 'Fields that sluice does not manage: JSON pointers (RFC 6901) into spec.',
      type: ['array', 'null'],
      items: { type: 'string', pattern: '^(/([^~/]|~[01])*)+$' },
    },
    adopt: { description: 'The id of an existing resource to adopt.', type: ['string', 'null'], minLength: 1 },
    adopt_from: {
      description: 'The id of the stack from which `adopt` may take the resource.',
      type: ['string', 'null'],
      pattern: '^[0-9a-f]{8}$',
    },
    moved_from: {
      description: 'The former address of the resource, such as Kind/name; of several, the latest first.',
      type: ['string', 'array', 'null'],
      pattern: '^[A-Za-z]+/.+$',
      items: { type: 'string', pattern: '^[A-Za-z]+/.+$' },
      minItems: 1,
    },
    ...more,
  }),
  type: ['object', 'null'],
  dependentRequired: { adopt_from: ['adopt'] },
});

const duration = { type: ['string', 'null'], pattern: durationPattern };

const renewal = {
  valid_for: {
    description: 'The validity period, from the start of the apply that creates the resource, such as 90d or 12h.',
    ...duration,
  },
  renew_before: {
    description: 'How long before it expires a plan replaces it; shorter than the validity period.',
    ...duration,
  },
  certificate_file: {
    description: 'The file to which apply writes the issued certificate: a relative path inside the stack directory.',
    type: ['string', 'null'],
    minLength: 1,
  },
};

const value = {
  description: 'A value from an environment variable, or from a file inside the stack directory.',
  ...strictObject({ from_env: text, from_file: text }),
  minProperties: 1,
  maxProperties: 1,
};

const ref = {
  description: 'The name of the referenced resource, in place of its id.',
  ...strictObject({ ref: definition('name') }, ['ref']),
};

const moduleSets = {
  description:
    'Names of module sets whose modules are included; a module written here overrides an included one as a whole.',
  type: ['array', 'null'],
  items: definition('name'),
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
  ref,
  moduleSets,
};
