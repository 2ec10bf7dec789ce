import type { Kind, KindSet } from '../../kinds/kind.ts';
import { parentIn } from '../../kinds/parent-in.ts';
import type { Account, Actual } from '../../model/actual.ts';
import { getsNewId } from '../../model/plan/plan.ts';
import type { Entry } from '../../model/state.ts';
import { answeringFor } from '../../model/wildcards.ts';
import type { Decisions } from '../decide.ts';
import { existingInstance, unmanagedInstance, type InstanceKey } from '../order/plan-node.ts';
import { hostportsOf, takesPartInRouting, type RoutingModel, type RoutingNode } from './routing-model.ts';

/**
 * The routing nodes of the account as they are now: all of this stack, also those that the plan does not target, unmanaged
 * ones that share an edge with them, and unmanaged edges that take requests to a hostport before or after the plan.
 */
export function currentRouting(decisions: Decisions, account: Account, kinds: KindSet): RoutingModel {
  const nodes: (readonly [InstanceKey, Actual, Kind, Entry | undefined])[] = [];
  const instanceOfId = new Map<string, InstanceKey>();
  const add = (instance: InstanceKey, actual: Actual, kind = kinds.named(actual.kind), entry?: Entry): void => {
    if (kind === undefined || !takesPartInRouting(kind)) return;
    nodes.push([instance, actual, kind, entry]);
    instanceOfId.set(actual.id, instance);
  };
  const considered = new Set<string>();
  for (const { pair } of decisions.values()) {
    if (pair.actual === undefined || !takesPartInRouting(pair.kind)) continue;
    considered.add(pair.actual.id);
    // Where the manifest ignores fields, somebody else may have set them.
    const entry = pair.desired?.lifecycle.ignore === undefined ? pair.entry : undefined;
    add(existingInstance(pair.address), pair.actual, pair.kind, entry);
  }
  const routed = new Set(kinds.all.filter(takesPartInRouting).map(({ name }) => name));
  for (const [address, actual] of account.ours)
    if (routed.has(actual.kind) && !considered.has(actual.id)) add(existingInstance(address), actual);
  for (const { address, actual } of [...(account.duplicates ?? []), ...(account.deposed ?? [])])
    if (!considered.has(actual.id)) add(existingInstance(`${address} (${actual.id})`), actual);
  const isEmpty = account.foreign.length === 0;
  const parents = isEmpty ? new Set<string>() : parentIds(decisions, account);
  const beside = isEmpty ? new Set<string>() : new Set(besideMoved(decisions, account, kinds));
  for (const actual of account.foreign)
    if (!considered.has(actual.id) && (actual.parent !== undefined || parents.has(actual.id) || beside.has(actual.id)))
      add(unmanagedInstance(actual.id), actual);
  const routing = new Map<InstanceKey, RoutingNode>();
  for (const [instance, actual, kind, entry] of nodes) {
    const parent = actual.parent === undefined ? undefined : instanceOfId.get(actual.parent);
    if (actual.parent !== undefined && parent === undefined) continue;
    const node: { -readonly [Name in keyof RoutingNode]: RoutingNode[Name] } = { kind, spec: actual.spec };
    if (parent !== undefined) node.parent = parent;
    if (beside.has(actual.id) && !parents.has(actual.id)) node.isOnlyBeside = true;
    if (kind.traffic?.passesThrough?.(actual.computed) === true) node.passesThrough = true;
    if (entry !== undefined && entry.rebuilt === undefined) node.applied = entry.spec;
    if (entry?.filledIn !== undefined) node.filledIn = entry.filledIn;
    routing.set(instance, node);
  }
  return routing;
}

/** The ids of the parents of the resources of this stack, now and as wanted, which may be unmanaged themselves. */
function parentIds(decisions: Decisions, { ours }: Account): ReadonlySet<string> {
  const wanted = [...decisions.values()].flatMap(({ pair: { kind, desired } }) => {
    const parent = parentIn(kind, desired?.spec);
    return typeof parent === 'string' ? [parent] : [];
  });
  return new Set([...wanted, ...[...ours.values()].flatMap(({ parent }) => parent ?? [])]);
}

/** The ids of unmanaged edges with a wildcard for a hostport that the plan gives to an edge, or takes from one. */
function besideMoved(decisions: Decisions, { foreign }: Account, kinds: KindSet): string[] {
  const wildcards = new Set(
    [...decisions.values()].flatMap(({ action, compared, spec, pair: { kind, actual } }) => {
      const isMoved =
        getsNewId(action) ||
        action === 'delete' ||
        compared.changes.some(({ path }) => path[0] === kind.traffic?.listens);
      if (!isMoved) return [];
      const places = [spec, actual?.spec ?? {}].flatMap((one) => hostportsOf({ kind, spec: one }));
      return places.flatMap((place) => answeringFor(place).slice(1));
    }),
  );
  if (wildcards.size === 0) return [];
  return foreign.flatMap(({ id, kind: name, spec }) => {
    const kind = kinds.named(name);
    return kind !== undefined && hostportsOf({ kind, spec }).some((place) => wildcards.has(place)) ? [id] : [];
  });
}
