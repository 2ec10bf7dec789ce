import { isSpecObject, type SpecObject, type SpecValue, textOf } from '../../kinds/value.ts';
import type { Stored } from '../family.ts';
import { textsOf } from '../forms/plain.ts';

/** The modules of an edge or a route that are configured and enabled, by name. */
export type EnabledModules = Readonly<Record<string, SpecObject>>;

/** An edge with its routes, oldest first. */
export interface DoorEdge {
  readonly id: string;
  /** In lower case. */
  readonly hostports: readonly string[];
  /** TLS is terminated upstream: the edge cannot read requests. */
  readonly passesThrough: boolean;
  readonly modules: EnabledModules;
  readonly routes: readonly DoorRoute[];
}

/** A route of an edge. */
export interface DoorRoute {
  readonly id: string;
  readonly match: string;
  readonly matchType: string;
  readonly modules: EnabledModules;
}

/** What of an account decides about traffic. */
export interface FrontDoor {
  /** Oldest first. */
  readonly edges: readonly DoorEdge[];
  /** Certificates as PEM, by the ids of the authorities. */
  readonly authorities: ReadonlyMap<string, string>;
}

const edgeModules = ['mutual_tls', 'tls_termination'];
const routeModules = [
  'backend',
  'ip_restriction',
  'circuit_breaker',
  'compression',
  'request_headers',
  'response_headers',
  'webhook_verification',
  'oauth',
  'saml',
  'oidc',
  'websocket_tcp_converter',
  'user_agent_filter',
  'traffic_policy',
];

/** The front door that an account describes. */
export function frontDoorOf(resources: Iterable<Stored>): FrontDoor {
  const all = [...resources].sort((a, b) => a.seq - b.seq);
  const routes = new Map<string, DoorRoute[]>();
  for (const { kind, id, parent = '', spec } of all) {
    if (kind !== 'HTTPSEdgeRoute') continue;
    const route = {
      id,
      match: textOf(spec['match']),
      matchType: textOf(spec['match_type']),
      modules: enabled(spec, routeModules),
    };
    routes.set(parent, [...(routes.get(parent) ?? []), route]);
  }
  return {
    edges: all
      .filter(({ kind }) => kind === 'HTTPSEdge')
      .map(({ id, spec }) => ({
        id,
        hostports: textsOf(spec['hostports']).map((hostport) => hostport.toLowerCase()),
        passesThrough: textOf(moduleIn(spec['tls_termination'])['terminate_at']) === 'upstream',
        modules: enabled(spec, edgeModules),
        routes: routes.get(id) ?? [],
      })),
    authorities: new Map(
      all.flatMap(({ kind, id, spec }) => (kind === 'CertificateAuthority' ? [[id, textOf(spec['ca_pem'])]] : [])),
    ),
  };
}

/** Every module has `enabled`: true if unspecified; false disables. */
function enabled(spec: SpecObject, names: readonly string[]): EnabledModules {
  return Object.fromEntries(
    names.flatMap((name) => {
      const module = spec[name];
      return isSpecObject(module) && module['enabled'] !== false ? [[name, module]] : [];
    }),
  );
}

function moduleIn(value: SpecValue | undefined): SpecObject {
  return isSpecObject(value) ? value : {};
}
