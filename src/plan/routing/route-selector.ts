import type { Selector } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import type { RoutingNode } from './routing-model.ts';

// The same route is evaluated for every request class and after every step.
const known = new WeakMap<SpecObject, Selector>();

/** Which requests to its edge a node matches; undefined if the node is not a route. */
export function routeSelector({ kind, spec }: Pick<RoutingNode, 'kind' | 'spec'>): Selector | undefined {
  const selects = kind.traffic?.selects;
  if (selects === undefined) return undefined;
  const found = known.get(spec) ?? selects(spec);
  known.set(spec, found);
  return found;
}
