import { isSpecObject, type SpecObject, textOf } from '../../kinds/value.ts';
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
      modules: enabled(spec),
    };
    routes.set(parent, [...(routes.get(parent) ?? []), route]);
  }
  return {
    edges: all
      .filter(({ kind }) => kind === 'HTTPSEdge')
      .map(({ id, spec, spec: { hostports, tls_termination: tls } }) => ({
        id,
        hostports: textsOf(hostports).map((hostport) => hostport.toLowerCase()),
        passesThrough: isSpecObject(tls) && tls['terminate_at'] === 'upstream',
        modules: enabled(spec),
        routes: routes.get(id) ?? [],
      })),
    authorities: new Map(
      all.flatMap(({ kind, id, spec }) => (kind === 'CertificateAuthority' ? [[id, textOf(spec['ca_pem'])]] : [])),
    ),
  };
}

/** Every module is an object with `enabled`, and nothing else is one: true if unspecified; false disables. */
function enabled(spec: SpecObject): EnabledModules {
  const modules: Record<string, SpecObject> = {};
  for (const [name, value] of Object.entries(spec))
    if (isSpecObject(value) && value['enabled'] !== false) modules[name] = value;
  return modules;
}
