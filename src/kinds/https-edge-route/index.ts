import { entriesInWords } from '../admitted.ts';
import { atMostOneEnabled, regularExpression, positive } from '../checks.ts';
import {
  description,
  identity,
  immutable,
  metadata,
  oneOf,
  ref,
  required,
  text,
  module,
  setOf,
  count,
  share,
  refs,
} from '../fields.ts';
import type { Kind } from '../kind.ts';
import { onlyUpstream } from '../upstream.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { matchForm, pathWithoutSlash, queryInMatch, selectorOf, unclearHost, wildcardInPath } from './match.ts';
import { oauth } from './oauth.ts';
import { oidc } from './oidc.ts';
import { saml } from './saml.ts';
import { trafficPolicy } from './traffic-policy.ts';
import { webhookVerification } from './webhook-verification.ts';

const pattern = text('Regular expression for user agents.', { format: 'regex', checks: [regularExpression] });

const modules = {
  backend: module(
    'Sends the requests of the route to a backend.',
    { backend_id: required(ref('backend', 'Id of the backend that receives the requests.', { readAs: 'backend' })) },
    { upstream: true, path: { suffix: '/backend', since: 'completed' } },
  ),
  ip_restriction: module(
    'Allows only requests from IP addresses that the IP policies permit.',
    {
      ip_policy_ids: required(
        refs('ip_policy', 'Ids of the IP policies that permit or deny an IP address.', 'ip_policies', {
          atLeast: { count: 1, since: 'completed' },
          widensWhen: 'changes',
        }),
      ),
    },
    {
      accessControl: 'network',
      admitted: (module) => entriesInWords(module, ['ip_policy_ids']),
      inEffectWith: 'ip_policy_ids',
      path: { suffix: '/ip_restriction', since: 'described' },
    },
  ),
  circuit_breaker: module(
    'Stops sending requests to the backend while too many of its responses are errors.',
    {
      tripped_duration: count(
        'Seconds for which the circuit breaker sends no requests before it tries the backend again.',
        { default: 10, checks: [positive] },
      ),
      rolling_window: count(
        'Length in seconds of the time window in which the circuit breaker counts requests and errors.',
        { default: 10, checks: [positive] },
      ),
      num_buckets: count('Number of equal parts into which the circuit breaker divides its time window.', {
        max: 128,
        default: 10,
        checks: [positive],
      }),
      volume_threshold: count(
        'Number of requests in the time window below which the circuit breaker does not stop requests.',
        { default: 20 },
      ),
      error_threshold_percentage: {
        ...share('Share of failed requests, from 0 to 1, above which the circuit breaker stops requests.', 0, 1),
        examples: [0.25],
      },
    },
    { path: { suffix: '/circuit_breaker', since: 'completed' } },
  ),
  compression: module(
    'Compresses responses to clients that accept compression.',
    {},
    { path: { suffix: '/compression', since: 'completed' } },
  ),
  request_headers: requestHeaders,
  response_headers: responseHeaders,
  webhook_verification: webhookVerification,
  oauth,
  saml,
  oidc,
  websocket_tcp_converter: module(
    'Converts WebSocket connections to TCP connections to the backend.',
    {},
    { path: { suffix: '/websocket_tcp_converter', since: 'completed' } },
  ),
  user_agent_filter: module(
    'Allows or denies requests by their user agent.',
    {
      allow: setOf(pattern, 'Regular expressions of the allowed user agents.', { widensWhen: 'changes' }),
      deny: setOf(pattern, 'Regular expressions of the denied user agents.', { widensWhen: 'changes' }),
    },
    { filter: 'agent', path: { suffix: '/user_agent_filter', since: 'completed' } },
  ),
  traffic_policy: trafficPolicy,
};

/** One match rule of an edge with the modules that act on its traffic. */
export const httpsEdgeRoute: Kind = {
  name: 'HTTPSEdgeRoute',
  doc: 'A route of an HTTPS edge: which requests it handles, and the modules that process them.',
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
      text('The requests that the route handles: a path, a host, or a host with a path.', {
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
