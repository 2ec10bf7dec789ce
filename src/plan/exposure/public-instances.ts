import type { InstanceKey } from '../order/plan-node.ts';
import { moduleEffects } from '../routing/module-effects.ts';
import { isPublic, type RoutingModel } from '../routing/routing-model.ts';

/** Routes that may be public now, whatever their matches: they reach something, and neither they nor their edge have an access control. */
export function publicInstances(routing: RoutingModel): ReadonlySet<InstanceKey> {
  const found = new Set<InstanceKey>();
  for (const [instance, node] of routing) {
    const edge = node.parent === undefined ? undefined : routing.get(node.parent);
    if (edge === undefined || moduleEffects(node).reach === 'nothing') continue;
    if (edge.passesThrough === true || isPublic(moduleEffects(node).controls | moduleEffects(edge).controls))
      found.add(instance);
  }
  return found;
}
