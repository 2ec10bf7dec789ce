import { isEnabled } from '../../kinds/checks.ts';
import type { Kind } from '../../kinds/kind.ts';
import { oncePer } from '../../kinds/once-per.ts';
import { isSpecObject, OutsideValue, type SpecValue } from '../../kinds/value.ts';
import type { Access } from '../exposure/access.ts';
import type { RoutingNode } from './routing-model.ts';
import { routingModules } from './routing-modules.ts';

/** What serves the requests of a route. */
export interface RouteBackend {
  readonly id: string;
  /** The id as texts may have it. */
  readonly shown: string;
}

/** The backend of a route; undefined if it has none, or if its id is not known. */
export function backendOf(route: Pick<RoutingNode, 'kind' | 'spec'>): RouteBackend | undefined {
  const id = backendIdOf(route);
  if (typeof id === 'string') return { id, shown: id };
  return id instanceof OutsideValue ? { id: id.reveal(), shown: id.toString() } : undefined;
}

/** The id of the backend of a route as its spec has it: of one from outside, state has a digest. Null if it has none. */
export function backendIdOf({ kind, spec }: Pick<RoutingNode, 'kind' | 'spec'>): SpecValue {
  for (const { name, by } of upstreamsOf(kind)) {
    const module = spec[name];
    const id = isSpecObject(module) && isEnabled(module) ? (module[by] ?? null) : null;
    if (id !== null && id !== '') return id;
  }
  return null;
}

/** The modules that forward to a backend, each with its field for the id of that backend. */
const upstreamsOf = oncePer(new WeakMap<Kind, readonly { readonly name: string; readonly by: string }[]>(), (kind) =>
  routingModules(kind).reaching.flatMap(({ name, field }) =>
    field.upstream === true
      ? Object.entries(field.fields).flatMap(([by, one]) =>
          one.is === 'leaf' && one.ref !== undefined ? [{ name, by }] : [],
        )
      : [],
  ),
);

/** The backend that requests reach; undefined if they reach none. */
export function backendReached({ reach, route }: Access): RouteBackend | undefined {
  return reach === 'backend' && route !== undefined ? backendOf(route) : undefined;
}
