import { computed, group, identity, instant, metadata, oneOf, ref, required, setOf, text } from './fields.ts';
import type { Field, Fields, View } from './kind.ts';
import { webUrl } from './formats/web-names.ts';

function read(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]): [string, Field] => [name, computed(field)]));
}

/** An online agent session: read and commanded, never reconciled. */
export const tunnelSession: View = {
  name: 'TunnelSession',
  doc: 'The connection of an agent that is online.',
  path: '/tunnel_sessions',
  listKey: 'tunnel_sessions',
  idPrefix: 'ts',
  operations: { list: 'described', get: 'described' },
  actions: ['restart', 'stop', 'update'],
  fields: read({
    id: identity.id,
    uri: identity.uri,
    agent_version: text('Version of the agent software.'),
    credential: ref('credential', 'Credential with which the agent started the session.'),
    ip: text('IP address from which the agent connects.'),
    metadata: text('Metadata from the configuration of the agent.'),
    os: text('Operating system of the machine that the agent runs on.'),
    region: text('Region of the service in which the session started.'),
    started_at: instant('When the session started.'),
    transport: text(
      'Protocol between the agent and the service: `<vendor>/2`, with the vendor name of the service, or `ssh`.',
    ),
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
    updated_at: instant('When the endpoint was last changed.'),
    public_url: text('URL at which the endpoint is served.'),
    proto: oneOf(['http', 'https', 'tcp', 'tls'], 'Protocol of the endpoint.'),
    hostport: text('hostname:port.'),
    type: oneOf(['ephemeral', 'edge'], 'Either ephemeral (served directly by an agent) or edge (served by an edge).'),
    metadata: text('Metadata of the tunnel or edge that serves the endpoint.'),
    domain: ref('reserved_domain', 'Reserved domain of the endpoint.'),
    tcp_addr: ref('ReservedAddr', 'Reserved address of the endpoint.'),
    tunnel: ref('tunnel', 'Tunnel that serves the endpoint.'),
    edge: ref('edge', 'Edge of any type that serves the endpoint.'),
  }),
};

/** A report of abusive URLs: created and read, never reconciled. */
export const abuseReport: View = {
  name: 'AbuseReport',
  doc: 'A report of URLs that are suspected of abusive content.',
  path: '/abuse_reports',
  listKey: 'abuse_reports',
  idPrefix: 'abrp',
  operations: { create: 'described', get: 'described' },
  fields: {
    ...identity,
    urls: required(
      setOf(text('An http or https URL.', { format: 'url', checks: [webUrl] }), 'The reported URLs.', {
        order: 'sequence',
        atLeast: { count: 1, since: 'completed' },
      }),
    ),
    metadata: metadata(),
    ...read({
      status: oneOf(['PENDING', 'PROCESSED', 'PARTIALLY_PROCESSED'], 'Whether the service has processed the report.'),
      hostnames: setOf(
        group('A host.', {
          hostname: text('Hostname in one of the reported URLs.'),
          status: oneOf(['PENDING', 'BANNED', 'UNBANNED', 'IGNORE'], 'Decision of the service about the host.'),
        }),
        'Hosts in the URLs of the abuse report, each with the decision of the service.',
      ),
    }),
  },
};

/** Every family that no manifest describes. */
export const views: readonly View[] = [tunnelSession, endpoint, abuseReport];
