import { computed, group, identity, instant, ref, setOf, text } from './fields.ts';
import type { Field, Fields, View } from './kind.ts';

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
    transport: text('The vendor transport, or ssh.'),
  }),
};

/** An active endpoint: read only. */
export const endpoint: View = {
  name: 'Endpoint',
  doc: 'An active endpoint, served by an edge or directly by an agent.',
  path: '/endpoints',
  listKey: 'endpoints',
  idPrefix: 'ep',
  fields: read({
    id: identity.id,
    region: text('Region.'),
    created_at: identity.created_at,
    updated_at: instant('When it last changed.'),
    public_url: text('URL of the hostport served.'),
    proto: text('http, https, tcp or tls.'),
    hostport: text('hostname:port.'),
    type: text('ephemeral or edge.'),
    metadata: text('Metadata of the tunnel or edge.'),
    domain: ref('reserved_domain', 'Reserved domain.'),
    tcp_addr: ref('ReservedAddr', 'Reserved address.'),
    tunnel: ref('tunnel', 'Serving tunnel.'),
    edge: ref('edge', 'Serving edge, of whatever family.'),
  }),
};

/** A report of abusive URLs: created and read, never reconciled. */
export const abuseReport: View = {
  name: 'AbuseReport',
  doc: 'URLs suspected of abusive content.',
  path: '/abuse_reports',
  listKey: 'abuse_reports',
  idPrefix: 'abrp',
  fields: read({
    ...identity,
    urls: setOf(text('A URL.'), 'URLs reported.'),
    metadata: text('User-defined data.'),
    status: text('PENDING, PROCESSED or PARTIALLY_PROCESSED.'),
    hostnames: setOf(
      group('A host.', {
        hostname: text('Host parsed out of a URL.'),
        status: text('PENDING, BANNED, UNBANNED or IGNORE.'),
      }),
      'Hosts of the URLs.',
    ),
  }),
};
