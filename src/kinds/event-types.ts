import type { Lint } from './kind.ts';
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
export const knownEventType: Lint = {
  code: known.code,
  test: (text) =>
    /\.v[0-9]+$/.test(text) || text === ''
      ? known.test(text)
      : { message: 'is an event type without a version', hint: `write \`${text.replace(/\..*$/, '')}.v0\`` },
};
