import type { InstanceKey, Movement } from '../order/plan-node.ts';
import { applyStep, hostportsOf, type RoutingModel } from './routing-model.ts';

/** The edges that share a hostport at some moment, by that hostport (decisions/0056). */
export function edgesAtSameHostport(
  start: RoutingModel,
  nodes: readonly Movement[],
): ReadonlyMap<string, ReadonlySet<InstanceKey>> {
  const routing = new Map(start);
  const [listening, shared] = [new Map<string, Set<InstanceKey>>(), new Map<string, Set<InstanceKey>>()];
  const listens = (instance: InstanceKey): void => {
    const node = routing.get(instance);
    for (const place of node === undefined ? [] : hostportsOf(node)) {
      const here = (listening.get(place) ?? new Set()).add(instance);
      listening.set(place, here);
      if (here.size > 1) shared.set(place, new Set([...(shared.get(place) ?? []), ...here]));
    }
  };
  for (const instance of start.keys()) listens(instance);
  for (const step of nodes) {
    const { instance } = step.effect;
    const before = routing.get(instance);
    for (const place of before === undefined ? [] : hostportsOf(before)) listening.get(place)?.delete(instance);
    applyStep(routing, step);
    listens(instance);
  }
  return shared;
}
