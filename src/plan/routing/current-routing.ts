import type { Kind } from '../../kinds/kind.ts';
import type { KindSet } from '../../kinds/kind-set.ts';
import type { Account, Actual } from '../../model/actual.ts';
import type { Address } from '../../model/address.ts';
import type { Decision } from '../decide.ts';
import { existingInstance, unmanagedInstance, type InstanceKey } from '../order/plan-node.ts';
import { takesPartInRouting, type RoutingModel, type RoutingNode } from './routing-model.ts';

/** The account as it is, as far as traffic goes: what is ours, whether or not this run considers it, and what is unmanaged but beside it. */
export function currentRouting(
  decisions: ReadonlyMap<Address, Decision>,
  account: Account,
  kinds: KindSet,
): RoutingModel {
  const things: { readonly instance: InstanceKey; readonly actual: Actual; readonly kind: Kind }[] = [];
  const instanceOfId = new Map<string, InstanceKey>();
  const add = (instance: InstanceKey, actual: Actual, kind = kinds.named(actual.kind)): void => {
    if (kind === undefined || !takesPartInRouting(kind)) return;
    things.push({ instance, actual, kind });
    instanceOfId.set(actual.id, instance);
  };
  const considered = new Set<string>();
  for (const { pair } of decisions.values()) {
    if (pair.actual === undefined) continue;
    considered.add(pair.actual.id);
    add(existingInstance(pair.address), pair.actual, pair.kind);
  }
  for (const [address, actual] of account.ours) if (!considered.has(actual.id)) add(existingInstance(address), actual);
  for (const { address, actual } of [...(account.duplicates ?? []), ...(account.deposed ?? [])])
    if (!considered.has(actual.id)) add(existingInstance(`${address} (${actual.id})`), actual);
  const homes = homesOutside(decisions, account);
  for (const actual of account.foreign)
    if (!considered.has(actual.id) && (actual.parent !== undefined || homes.has(actual.id)))
      add(unmanagedInstance(actual.id), actual);
  const routing = new Map<InstanceKey, RoutingNode>();
  for (const { instance, actual, kind } of things) {
    const parent = actual.parent === undefined ? undefined : instanceOfId.get(actual.parent);
    if (actual.parent !== undefined && parent === undefined) continue;
    routing.set(instance, {
      kind,
      spec: actual.spec,
      ...(parent === undefined ? {} : { parent }),
      ...(kind.traffic?.passesThrough?.(actual.computed) === true ? { passesThrough: true } : {}),
    });
  }
  return routing;
}

/** Ids of what resources of ours live in. */
function homesOutside(decisions: ReadonlyMap<Address, Decision>, account: Account): ReadonlySet<string> {
  const wanted = [...decisions.values()].flatMap(({ pair: { kind, desired } }) => {
    const parent = kind.within === undefined ? undefined : desired?.spec[kind.within.by];
    return typeof parent === 'string' ? [parent] : [];
  });
  return new Set([...wanted, ...[...account.ours.values()].flatMap(({ parent }) => parent ?? [])]);
}
