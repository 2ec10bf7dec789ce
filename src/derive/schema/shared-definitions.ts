import { namePattern } from '../../model/name.ts';
import { durationPattern } from '../duration.ts';
import { strictObject, definition, type JsonSchema } from './field-schema.ts';

const text = { type: 'string', minLength: 1 };

const name = {
  description: 'What you call it: lower-case letters, digits and hyphens.',
  type: 'string',
  pattern: namePattern,
};

const labels = {
  description: 'For selecting with -l; not sent to the service.',
  type: ['object', 'null'],
  additionalProperties: { type: 'string' },
};

const metadata = strictObject({ name: definition('name'), labels: definition('labels') }, ['name']);

const optionalName = {
  ...strictObject({ name: definition('name'), labels: definition('labels') }),
  type: ['object', 'null'],
};

const lifecycleOf = (more: JsonSchema): JsonSchema => ({
  description: 'How sluice treats the resource; nothing of it is sent to the service.',
  ...strictObject({
    protect: { description: 'Whether deleting or replacing it is refused.', type: ['boolean', 'null'] },
    on_remove: {
      description: 'What happens when its manifest is gone: it is deleted, or left alone and forgotten.',
      enum: ['delete', 'retain', null],
    },
    ignore: {
      description: 'Fields that sluice leaves alone: JSON pointers (RFC 6901) into spec.',
      type: ['array', 'null'],
      items: { type: 'string', pattern: '^(/([^~/]|~[01])*)+$' },
    },
    adopt: { description: 'The id of a live resource to take over.', type: ['string', 'null'], minLength: 1 },
    adopt_from: {
      description: 'The id of the stack that `adopt` may take the resource from.',
      type: ['string', 'null'],
      pattern: '^[0-9a-f]{8}$',
    },
    moved_from: {
      description: 'The address that it had before, such as Kind/name; of several, the latest first.',
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
    description: 'How long it is valid from the moment of the apply that creates it, such as 90d or 12h.',
    ...duration,
  },
  renew_before: {
    description: 'How long before its end a plan replaces it; less than its validity.',
    ...duration,
  },
  certificate_file: {
    description: "The file that apply writes what was issued to, from the stack's directory and inside it.",
    type: ['string', 'null'],
    minLength: 1,
  },
};

const value = {
  description: 'Text from elsewhere: an environment variable, or a file inside the directory of the stack.',
  ...strictObject({ from_env: text, from_file: text }),
  minProperties: 1,
  maxProperties: 1,
};

const ref = {
  description: 'The name of what is meant, in place of its id.',
  ...strictObject({ ref: definition('name') }, ['ref']),
};

const moduleSets = {
  description: 'Names of the module sets whose modules it takes over; a module written here wins, whole.',
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
