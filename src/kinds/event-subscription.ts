import type { Kind, Lint } from './kind.ts';
import { notEmpty } from './checks.ts';
import { computed, description, group, identity, metadata, refs, required, setOf, text } from './fields.ts';
import { knownWord } from './lints.ts';

const objects = [
  ...['agent_ingress', 'api_key', 'certificate_authority', 'domain', 'edge', 'edge_route', 'endpoint_configuration'],
  ...['event_destination', 'event_subscription', 'ip_policy', 'ip_policy_rule', 'ip_restriction', 'reserved_addr'],
  ...['ssh_certificate_authority', 'ssh_credential', 'ssh_host_certificate', 'ssh_user_certificate', 'tcp_address'],
  ...['tls_certificate', 'tunnel_credential', 'vault', 'secret'],
];

const types = [
  ...objects.flatMap((object) => ['created', 'updated', 'deleted'].map((what) => `${object}_${what}.v0`)),
  ...['agent_session_start.v0', 'agent_session_stop.v0', 'http_request_complete.v0', 'tcp_connection_closed.v0'],
  'log.v0',
];

const known = knownWord('event type', types);

/** Warns about an event type that no public list names, or that lacks the version it must end with. */
const knownEventType: Lint = {
  code: known.code,
  test: (text) =>
    /\.v[0-9]+$/.test(text) || text === ''
      ? known.test(text)
      : { message: 'the event type has no version', hint: `write \`${text.split('.', 1).join()}.v0\`` },
};

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
