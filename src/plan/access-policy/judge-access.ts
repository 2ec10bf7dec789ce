import type { ProofResult, Requirement } from '../../model/exposure/access-rules.ts';
import { isReachable, type Access } from '../exposure/access.ts';
import type { RequestClass } from '../routing/routing-model.ts';
import { routeSelector } from '../routing/route-selector.ts';
import { instanceName } from '../order/plan-node.ts';
import type { CheckedRule } from './checked-rule.ts';
import { methodOf } from './method-of.ts';
import type { RoutingFacts } from './routing-facts.ts';
import { mayMeet } from './satisfies.ts';

/** Whether a rule holds for one class of requests, and why not. */
export interface JudgedAccess {
  readonly verdict: ProofResult;
  readonly missing: readonly Requirement[];
  readonly fact?: string;
}

/** Judges what becomes of the requests of a class, sent with a method. */
export function judgeAccess(
  rule: CheckedRule,
  access: Access,
  requestClass: RequestClass,
  method: string,
  { unknownModules }: RoutingFacts,
): JudgedAccess {
  const missing = isReachable(access) ? rule.missing(access, methodOf({ method })) : [];
  if (missing.length === 0 || access.matchedBy === undefined || access.route === undefined)
    return { verdict: 'holds', missing };
  const address = instanceName(access.matchedBy);
  const unproven = (fact: string): JudgedAccess => ({ verdict: 'unproven', missing, fact });
  if (access.edge?.passesThrough === true)
    return unproven('TLS is terminated at the upstream service, so sluice cannot see the access control');
  const selector = routeSelector(access.route);
  if (requestClass.unclearHosts !== undefined || selector?.isHostUnclear === true)
    return unproven('the API does not document which hosts the `match` of a route selects');
  for (const [instance, node] of [
    [access.matchedBy, access.route],
    [access.route.parent, access.edge],
  ] as const) {
    if (instance === undefined || node === undefined) continue;
    for (const [name, fact] of unknownModules.get(instance) ?? []) {
      const field = node.kind.fields[name];
      if (field?.is === 'group' && missing.some((one) => mayMeet(field, one)))
        return unproven(instanceName(instance) === address ? fact : `${fact} (${instanceName(instance)})`);
    }
  }
  return { verdict: 'broken', missing };
}
