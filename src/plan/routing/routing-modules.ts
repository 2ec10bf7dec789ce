import type { AccessControl, Filter, Group, Kind } from '../../kinds/kind.ts';

/** The classes of access control. */
export const accessControls: readonly AccessControl[] = [
  'authentication',
  'network',
  'client-certificate',
  'signature',
];

/** What a module may refuse a request for, each standing for its bit: access controls, then filters. */
export const accessControlClasses: readonly (AccessControl | Filter)[] = [...accessControls, 'agent', 'tls', 'policy'];

/** What a module may refuse a request for, if anything. */
export function classOf({ accessControl, filter }: Group): AccessControl | Filter | undefined {
  return accessControl ?? filter;
}

/** A module of a kind. */
interface RoutingModule {
  readonly name: string;
  readonly field: Group;
}

/** What of a kind decides what becomes of requests. */
interface RoutingModules {
  /** Those that may refuse requests. */
  readonly asking: readonly (RoutingModule & { readonly bit: number })[];
  /** Those that lead requests somewhere. */
  readonly reaching: readonly RoutingModule[];
  /** The fields that decide which requests reach something. */
  readonly steering: ReadonlySet<string>;
  /** Those, and the ones that decide what requests must show. */
  readonly decisive: ReadonlySet<string>;
}

const known = new WeakMap<Kind, RoutingModules>();

/** The modules of a kind that decide what becomes of requests, found once for each kind. */
export function routingModules(kind: Kind): RoutingModules {
  const found = known.get(kind) ?? findModules(kind);
  known.set(kind, found);
  return found;
}

function findModules({ fields, traffic }: Kind): RoutingModules {
  const modules = Object.entries(fields).flatMap(([name, field]) => (field.is === 'group' ? [{ name, field }] : []));
  const asking = modules.flatMap((module) => {
    const asked = classOf(module.field);
    return asked === undefined ? [] : [{ ...module, bit: 1 << accessControlClasses.indexOf(asked) }];
  });
  const reaching = modules.filter(({ field }) => (field.upstream ?? field.mayAnswer) === true);
  const routing = [traffic?.listens, ...(traffic?.selectedBy ?? []), ...reaching.map(({ name }) => name)];
  const among = (deciding: ReadonlySet<string | undefined>): ReadonlySet<string> =>
    new Set(Object.keys(fields).filter((name) => deciding.has(name)));
  return {
    asking,
    reaching,
    steering: among(new Set(routing)),
    decisive: among(new Set([...routing, ...asking.map(({ name }) => name)])),
  };
}
