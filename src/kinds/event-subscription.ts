import type { Kind } from './kind.ts';
import { notEmpty } from './checks.ts';
import { knownEventType } from './event-types.ts';
import { computed, description, group, identity, metadata, refs, required, setOf, text } from './fields.ts';

/** Event types bound to the destinations that receive them. */
export const eventSubscription: Kind = {
  name: 'EventSubscription',
  doc: 'Sends events of certain types to event destinations.',
  path: '/event_subscriptions',
  listKey: 'event_subscriptions',
  idPrefix: 'esb',
  operations: { create: 'described', get: 'described', list: 'described', update: 'described', delete: 'described' },
  fields: {
    ...identity,
    description: description({ max: 255, unit: 'characters' }),
    metadata: metadata('characters'),
    sources: required(
      setOf(
        group('One event type of the subscription.', {
          type: required(
            text('Event type with its version, such as ip_policy_created.v0.', {
              checks: [notEmpty],
              lints: [knownEventType],
              examples: ['ip_policy_created.v0'],
              identifies: true,
            }),
          ),
          uri: computed(text('URI of the event type in the API.')),
        }),
        'Event types that the subscription sends.',
        { unique: 'completed', atLeast: { count: 1, since: 'completed' } },
      ),
    ),
    destination_ids: refs(
      'event_destination',
      'Ids of the event destinations that receive the events.',
      'destinations',
    ),
  },
  rules: [],
  unique: [],
  printerColumns: ['sources'],
};
