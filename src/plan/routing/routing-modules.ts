import type { AccessControl, Filter, Group, Kind } from '../../kinds/kind.ts';
import { oncePer } from '../../kinds/once-per.ts';

/** The classes of access control. */
export const accessControls: readonly AccessControl[] = [
  'authentication',
  'network',
  'client-certificate',
  'signature',
];

/** The classes of access control and filter. The index of a class is its bit. */
export const accessControlClasses: readonly (AccessControl | Filter)[] = [...accessControls, 'agent', 'tls', 'policy'];

/** The class of a module that may refuse requests; undefined for any other module. */
export function classOf({ accessControl, filter }: Group): AccessControl | Filter | undefined {
  return accessControl ?? filter;
}

interface RoutingModule {
  readonly name: string;
  readonly field: Group;
}

/** The modules and fields of a kind that decide where requests go and what they must satisfy. */
interface RoutingModules {
  /** Modules that may refuse requests. */
  readonly asking: readonly (RoutingModule & { readonly bit: number })[];
  /** Modules that forward or answer requests. */
  readonly reaching: readonly RoutingModule[];
  /** The fields that decide which requests reach a backend or a traffic policy. */
  readonly steering: ReadonlySet<string>;
  /** The steering fields, and those that decide what requests must satisfy. */
  readonly decisive: ReadonlySet<string>;
}

/** Computed once for each kind. */
export const routingModules = oncePer(new WeakMap<Kind, RoutingModules>(), findModules);

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
