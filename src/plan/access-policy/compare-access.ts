/*
 * Who can reach what now and after some changes, side by side: the whole of it for every class of requests that they concern, so
 * that nobody has to apply a difference in the head. A class is concerned if the changes move what takes its requests, or if the
 * edge or the route that takes them is one of the changed resources, whether access changes with it or not.
 */
import type { Address } from '../../model/address.ts';
import {
  accessEffects,
  type AccessComparison,
  type AccessEffect,
  type AccessSide,
  type ComparedAccess,
} from '../../model/exposure/access-comparison.ts';
import { inNaturalOrder } from '../../model/natural-order.ts';
import type { Sliced } from '../../model/sliced.ts';
import { accessOf, isPublicAccess, isReachable, type Access } from '../exposure/access.ts';
import { gained, lost, type SecretComparison } from '../exposure/access-differences.ts';
import { classUrl, distinctUrls } from '../exposure/class-url.ts';
import { audienceOf, whoReaches } from '../exposure/reachability-of.ts';
import { reachabilityTraces } from '../exposure/reachability.ts';
import { instanceName, type InstanceKey } from '../order/plan-node.ts';
import { routeGroupsOf } from '../routing/request-classes.ts';
import type { RoutingModel } from '../routing/routing-model.ts';
import type { PlannedRouting } from './planned-routing.ts';

// What is beyond is counted.
const mostRows = 200;
const mostUrls = 50;

/** What changes are compared: the account before them, the plan that makes them, and the resources that they are about. */
export interface ComparedChanges {
  readonly before: RoutingModel;
  readonly plan: PlannedRouting;
  readonly changed: ReadonlySet<Address>;
  /** What becomes of addresses that are no URLs. */
  readonly addresses: readonly ComparedAccess[];
}

/** Compares, in steps. */
export function* comparedAccessInSteps(changes: ComparedChanges): Sliced<AccessComparison> {
  const { before, plan, changed, addresses } = changes;
  const { now, steps, named, digest } = plan;
  const secrets = { digest, exchanged: plan.exchanged() };
  const rows = new Map<string, ComparedAccess & { readonly urls: string[] }>();
  const add = ({ effect, now: old, after, urls }: Omit<ComparedAccess, 'total'>): void => {
    const key = `${effect}\n${old.who}\n${after.who}`;
    const row = rows.get(key) ?? { effect, urls: [], total: 0, now: old, after };
    row.urls.push(...urls);
    rows.set(key, row);
  };
  const sideOf = (access: Access): AccessSide => ({ audience: audienceOf(access), who: whoReaches(access, named) });
  const concerned = new Set([...now.keys()].filter((instance) => changed.has(instanceName(instance))));
  yield;
  for (const group of routeGroupsOf(now, steps, { also: concerned })) {
    yield;
    const isConcerned =
      group.nodes.some(({ address }) => changed.has(address)) ||
      [...group.start.keys()].some((one) => concerned.has(one));
    if (!isConcerned) continue;
    for (const { tracked, last } of reachabilityTraces(group, group.nodes)) {
      yield;
      const { requestClass, instances, nodes } = tracked;
      if (requestClass.unclearHosts !== undefined) continue;
      const first = accessOf(requestClass, before, instances);
      if (!isReachable(first) && !isReachable(last)) continue;
      if (!nodes.some(({ address }) => changed.has(address)) && !takenBy(changed, first, last)) continue;
      const effect = effectOf(first, last, secrets);
      add({ effect, urls: [classUrl(requestClass)], now: sideOf(first), after: sideOf(last) });
    }
  }
  for (const one of addresses) add(one);
  return compared([...rows.values()].map((row) => ({ ...row, urls: distinctUrls(row.urls) })));
}

/** Whether what takes the requests, before or after, is among the changed resources. */
function takenBy(changed: ReadonlySet<Address>, ...accesses: readonly Access[]): boolean {
  const instances = accesses.flatMap(({ matchedBy, route }): (InstanceKey | undefined)[] => [matchedBy, route?.parent]);
  return instances.some((one) => one !== undefined && changed.has(instanceName(one)));
}

function effectOf(before: Access, after: Access, secrets: SecretComparison): AccessEffect {
  if (!isReachable(after)) return 'gone';
  if (isPublicAccess(after, 'any') && !(isReachable(before) && isPublicAccess(before, 'any'))) return 'public';
  if (!isReachable(before)) return 'new';
  const opens = lost(before, after, secrets).length > 0;
  const restricts = gained(before, after, secrets).length > 0;
  if (opens) return restricts ? 'changed' : 'opened';
  return restricts ? 'restricted' : 'unchanged';
}

function compared(all: readonly ComparedAccess[]): AccessComparison {
  const rank = ({ effect }: ComparedAccess): number => accessEffects.indexOf(effect);
  const sorted = all.toSorted((a, b) => rank(a) - rank(b) || inNaturalOrder(a.urls[0] ?? '', b.urls[0] ?? ''));
  const rows = sorted.slice(0, mostRows);
  return {
    rows: rows.map((row) => ({ ...row, urls: row.urls.slice(0, mostUrls), total: row.urls.length })),
    omitted: sorted.slice(mostRows).reduce((sum, { urls }) => sum + urls.length, 0),
  };
}
