import type { Selector } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import type { RoutingNode } from './routing-model.ts';

// A route is asked for every class of requests and every moment.
const known = new WeakMap<SpecObject, Selector>();

/** Which requests of its parent a node takes; undefined: none, because it is not a route. */
export function routeSelector({ kind, spec }: Pick<RoutingNode, 'kind' | 'spec'>): Selector | undefined {
  const selects = kind.traffic?.selects;
  if (selects === undefined) return undefined;
  const found = known.get(spec) ?? selects(spec);
  known.set(spec, found);
  return found;
}
