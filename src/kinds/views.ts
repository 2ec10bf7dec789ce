import { computed, group, identity, instant, metadata, oneOf, ref, required, setOf, text } from './fields.ts';
import type { Field, Fields, View } from './kind.ts';
import { webUrl } from './formats/web-names.ts';

/** Every field only read. */
function read(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]): [string, Field] => [name, computed(field)]));
}

/** An online agent session: read and commanded, never reconciled. */
export const tunnelSession: View = {
  name: 'TunnelSession',
  doc: 'An online agent session.',
  path: '/tunnel_sessions',
  listKey: 'tunnel_sessions',
  idPrefix: 'ts',
  operations: { list: 'described', get: 'described' },
  actions: ['restart', 'stop', 'update'],
  fields: read({
    id: identity.id,
    uri: identity.uri,
    agent_version: text('Version of the agent.'),
    credential: ref('credential', 'Credential used to start the session.'),
    ip: text('Source IP address.'),
    metadata: text('User-defined data from the agent configuration.'),
    os: text('Operating system of the agent host.'),
    region: text('Region where the session started.'),
    started_at: instant('When the session first connected.'),
    transport: text('Protocol of the tunnel: that of the vendor, such as `<vendor>/2`, or `ssh`.'),
  }),
};

/** An active endpoint: read only. */
export const endpoint: View = {
  name: 'Endpoint',
  doc: 'An active endpoint, served by an edge or directly by an agent.',
  path: '/endpoints',
  listKey: 'endpoints',
  idPrefix: 'ep',
  operations: { list: 'described', get: 'described' },
  fields: read({
    id: identity.id,
    region: text('Region.'),
    created_at: identity.created_at,
    updated_at: instant('When the endpoint last changed.'),
    public_url: text('URL at which the endpoint is served.'),
    proto: oneOf(['http', 'https', 'tcp', 'tls'], 'Protocol of the endpoint.'),
    hostport: text('hostname:port.'),
    type: oneOf(['ephemeral', 'edge'], 'Either ephemeral (served directly by an agent) or edge (served by an edge).'),
    metadata: text('Metadata of the tunnel or edge.'),
    domain: ref('reserved_domain', 'Reserved domain.'),
    tcp_addr: ref('ReservedAddr', 'Reserved address.'),
    tunnel: ref('tunnel', 'Tunnel that serves the endpoint.'),
    edge: ref('edge', 'Edge of any type that serves the endpoint.'),
  }),
};

/** A report of abusive URLs: created and read, never reconciled. */
export const abuseReport: View = {
  name: 'AbuseReport',
  doc: 'URLs suspected of abusive content.',
  path: '/abuse_reports',
  listKey: 'abuse_reports',
  idPrefix: 'abrp',
  operations: { create: 'described', get: 'described' },
  fields: {
    ...identity,
    urls: required(
      setOf(text('An http or https URL.', { format: 'url', checks: [webUrl] }), 'URLs reported.', {
        order: 'sequence',
        atLeast: { count: 1, since: 'completed' },
      }),
    ),
    metadata: metadata(),
    ...read({
      status: oneOf(['PENDING', 'PROCESSED', 'PARTIALLY_PROCESSED'], 'Processing status of the report.'),
      hostnames: setOf(
        group('A host.', {
          hostname: text('Hostname parsed from a URL.'),
          status: oneOf(['PENDING', 'BANNED', 'UNBANNED', 'IGNORE'], 'Decision about the host.'),
        }),
        'Hostnames of the URLs.',
      ),
    }),
  },
};

/** Every family that no manifest describes. */
export const views: readonly View[] = [tunnelSession, endpoint, abuseReport];
