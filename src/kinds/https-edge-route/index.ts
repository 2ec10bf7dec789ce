import { atMostOneEnabled } from '../checks.ts';
import { description, identity, immutable, metadata, oneOf, ref, required, text } from '../fields.ts';
import type { Kind } from '../kind.ts';
import { onlyUpstream } from '../upstream.ts';
import { backend } from './backend.ts';
import { circuitBreaker } from './circuit-breaker.ts';
import { compression } from './compression.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { ipRestriction } from './ip-restriction.ts';
import { matchForm, pathWithoutSlash, queryInMatch, selectorOf, unclearHost, wildcardInPath } from './match.ts';
import { oauth } from './oauth.ts';
import { oidc } from './oidc.ts';
import { saml } from './saml.ts';
import { trafficPolicy } from './traffic-policy.ts';
import { userAgentFilter } from './user-agent-filter.ts';
import { webhookVerification } from './webhook-verification.ts';
import { websocketTcpConverter } from './websocket-tcp-converter.ts';

const modules = {
  backend,
  ip_restriction: ipRestriction,
  circuit_breaker: circuitBreaker,
  compression,
  request_headers: requestHeaders,
  response_headers: responseHeaders,
  webhook_verification: webhookVerification,
  oauth,
  saml,
  oidc,
  websocket_tcp_converter: websocketTcpConverter,
  user_agent_filter: userAgentFilter,
  traffic_policy: trafficPolicy,
};

/** One match rule of an edge with the modules that act on its traffic. */
export const httpsEdgeRoute: Kind = {
  name: 'HTTPSEdgeRoute',
  doc: 'A route of an HTTPS edge: which requests it takes, and the modules that process them.',
  path: '/edges/https/{edge_id}/routes',
  listKey: 'routes',
  idPrefix: 'edghtsrt',
  operations: { create: 'described', get: 'completed', update: 'completed', delete: 'completed' },
  fields: {
    ...identity,
    edge_id: immutable(required(ref('HTTPSEdge', 'Id of the edge that contains the route.', { reads: 'id' }))),
    match_type: required(
      oneOf(
        ['exact_path', 'path_prefix'],
        'Whether the path of a request must equal the path in `match`, or only begin with it.',
      ),
    ),
    match: required(
      text('The requests that the route takes: a path, a host, or a host with a path.', {
        compare: 'match',
        format: 'match',
        identifies: true,
        checks: [matchForm],
        lints: [pathWithoutSlash, wildcardInPath, queryInMatch, unclearHost],
      }),
    ),
    description: description(),
    metadata: metadata(),
    ...modules,
  },
  rules: [atMostOneEnabled(['oauth', 'saml', 'oidc'], 'completed')],
  unique: [
    {
      field: 'match',
      scope: 'parent',
      compare: 'match',
      since: 'completed',
      temporaryValue: { text: (nonce) => `/.sluice-${nonce}` },
    },
  ],
  within: {
    kind: 'HTTPSEdge',
    by: 'edge_id',
    embeddedAs: 'routes',
    key: 'match',
    rules: [onlyUpstream(['backend', 'ip_restriction'], Object.keys(modules))],
  },
  traffic: { selects: selectorOf, selectedBy: ['match', 'match_type'] },
  printerColumns: ['match'],
  unexplained: { policy: null },
};
