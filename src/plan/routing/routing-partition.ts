import { disjointSets } from '../../model/disjoint-sets.ts';
import { groupBy } from '../../model/group-by.ts';
import { answeringFor } from '../../model/wildcards.ts';
import type { InstanceKey, Movement } from '../order/plan-node.ts';
import { applyStep, changesRouting, hostportsOf, type RoutingModel } from './routing-model.ts';

/** Which edges and routes can take each other's requests, now or while steps run, in any order of the steps. */
export interface RoutingPartition {
  /** Hostports that an edge has during the whole apply, so that no wildcard ever takes their requests. */
  readonly steady: () => ReadonlySet<string>;
  /** The instances in the same part as one, itself included. Instances of one part get the same list. */
  readonly together: (instance: InstanceKey) => readonly InstanceKey[];
}

/** The partition of the current routing and the steps. Its parts are computed on first use. */
export function routingPartition(routing: RoutingModel, nodes: readonly Movement[]): RoutingPartition {
  const moving = nodes.filter(changesRouting);
  let steady: ReadonlySet<string> | undefined;
  let parts: ReturnType<typeof partsOf> | undefined;
  const partition: RoutingPartition = {
    steady: () => (steady ??= steadyPlaces(routing, moving)),
    together: (instance) => {
      parts ??= partsOf(routing, moving, partition.steady());
      return parts(instance);
    },
  };
  return partition;
}

function steadyPlaces(routing: RoutingModel, moving: readonly Movement[]): ReadonlySet<string> {
  if (routing.size === 0) return new Set();
  const moved = new Set(
    moving.flatMap(({ effect, kind }) => {
      const listens = kind.traffic?.listens;
      const stays = effect.type === 'changes' && (listens === undefined || !Object.hasOwn(effect.sets, listens));
      return stays ? [] : [effect.instance];
    }),
  );
  return new Set([...routing].flatMap(([instance, node]) => (moved.has(instance) ? [] : hostportsOf(node))));
}

/** Joins instances with their parents, instances that have a hostport in common, and a wildcard hostport with the hostports that it covers. */
function partsOf(
  routing: RoutingModel,
  moving: readonly Movement[],
  steady: ReadonlySet<string>,
): (instance: InstanceKey) => readonly InstanceKey[] {
  const { join, rootOf } = disjointSets<InstanceKey>();
  const atPlace = new Map<string, InstanceKey>();
  // The instances themselves, and not only references to them.
  const known = new Set<InstanceKey>();
  const listens = (instance: InstanceKey, places: readonly string[]): void => {
    for (const place of places) {
      const other = atPlace.get(place);
      if (other === undefined) atPlace.set(place, instance);
      else join(instance, other);
    }
  };
  const begins = (instance: InstanceKey, parent: InstanceKey | undefined, places: readonly string[]): void => {
    known.add(instance);
    if (parent !== undefined) join(instance, parent);
    listens(instance, places);
  };
  for (const [instance, node] of routing) begins(instance, node.parent, hostportsOf(node));
  for (const { effect, kind } of moving) {
    const { instance } = effect;
    if (effect.type === 'begins') begins(instance, effect.parent, hostportsOf({ kind, spec: effect.spec }));
    else if (effect.type === 'changes' && known.has(instance))
      listens(instance, hostportsOf({ kind, spec: effect.sets }));
  }
  const hasWildcards = [...atPlace.keys()].some((place) => place.startsWith('*'));
  for (const [place, instance] of hasWildcards ? atPlace : [])
    if (!steady.has(place))
      for (const wildcard of answeringFor(place)) join(instance, atPlace.get(wildcard) ?? instance);
  const parts = groupBy(new Set([...routing.keys(), ...moving.map(({ effect }) => effect.instance)]), rootOf);
  return (instance) => parts.get(rootOf(instance)) ?? [];
}

/** The edges that share a hostport at some moment, by that hostport (decisions/0056). */
export function edgesAtSameHostport(
  start: RoutingModel,
  nodes: readonly Movement[],
): ReadonlyMap<string, ReadonlySet<InstanceKey>> {
  const routing = new Map(start);
  const [listening, shared] = [new Map<string, Set<InstanceKey>>(), new Map<string, Set<InstanceKey>>()];
  const listens = (instance: InstanceKey): void => {
    for (const place of hostportsOf(routing.get(instance))) {
      const here = (listening.get(place) ?? new Set()).add(instance);
      listening.set(place, here);
      if (here.size > 1) shared.set(place, new Set([...(shared.get(place) ?? []), ...here]));
    }
  };
  for (const instance of start.keys()) listens(instance);
  for (const step of nodes) {
    const { instance } = step.effect;
    for (const place of hostportsOf(routing.get(instance))) listening.get(place)?.delete(instance);
    applyStep(routing, step);
    listens(instance);
  }
  return shared;
}
