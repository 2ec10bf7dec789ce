import { isUnmanaged, type InstanceKey, type Movement } from '../order/plan-node.ts';
import { isOfOthers, isReachable, type Access } from './access.ts';
import { classUrl } from './class-url.ts';
import type { AccessMemory, RememberedAccess } from './last-access.ts';
import type { ReachabilityStep, ReachabilityTrace } from './reachability.ts';
import type { RouteGroup } from '../routing/request-classes.ts';
import { keyOfClass, patternOfKey } from '../routing/request-patterns.ts';
import { routeSelector } from '../routing/route-selector.ts';
import { hostportsOf, matchesRequest, type RequestClass } from '../routing/routing-model.ts';

/** A request class with its access as last known to state, as it is now, and as it is after the plan. */
export interface ClassHistory {
  readonly group: RouteGroup;
  readonly trace: ReachabilityTrace;
  readonly url: string;
  /** As last known. Several if drift had changed what was required when the class was last reachable. */
  readonly last: readonly Access[];
  /** Whether `last` is about exactly this class, and not about a wider pattern that contains it. */
  readonly isLastItsOwn: boolean;
  /** What state has recorded about the class when it was last reachable, with the key. */
  readonly remembered: RememberedAccess | undefined;
  /** As it is. Requests that the plan takes from an edge of others reach nothing of this stack until then. */
  readonly now: ReachabilityStep;
  readonly after: ReachabilityStep;
  /** The account as it is, whoever manages what takes the requests. */
  readonly actual: Access;
  /** From now on: drift comes before. */
  readonly moments: readonly ReachabilityStep[];
  readonly hasDrifted: boolean;
  /** Whether the last applied spec of its route or edge is unknown. */
  readonly isUnknown: boolean;
  /** Whether an unmanaged edge leads the requests to an unmanaged route, and nothing that this stack has applied took them. */
  readonly isOfOthers: boolean;
  /** Whether the plan adopts the route that takes the requests now. */
  readonly isAdopted: boolean;
  /** Whether the plan releases the edge that takes the requests: what becomes of them is not known from then on. */
  readonly isReleased: boolean;
}

interface HistoryContext {
  readonly memory: AccessMemory;
  readonly unknown: ReadonlySet<InstanceKey>;
  readonly released: ReadonlySet<InstanceKey>;
}

/** Sums up a trace, whose first movements are drift. */
export function classHistory(group: RouteGroup, trace: ReachabilityTrace, context: HistoryContext): ClassHistory {
  const { memory, unknown, released } = context;
  const { moments, first, last: after, tracked } = trace;
  const drifted = moments.findLastIndex(({ step }) => step?.role === 'drift');
  const from = Math.max(0, drifted);
  const actual = moments[from] ?? first;
  const edgeAfter = after.route?.parent;
  const isTaken = isOfOthers(actual) && edgeAfter !== undefined && !isUnmanaged(edgeAfter);
  const later = from === 0 ? moments : moments.slice(from);
  const ownMoments = isTaken ? later.map(withoutOthers) : later;
  const now = ownMoments[0] ?? first;
  const remembered = memory.of(tracked.requestClass);
  const isOwn = remembered !== undefined && remembered.key === keyOfClass(tracked.requestClass);
  const edgeNow = now.route?.parent;
  const isAdopted = (instance: InstanceKey | undefined): boolean =>
    drifted !== -1 && tracked.nodes.some((node) => adopts(node) && node.effect.instance === instance);
  // Nobody knows since when an adopted edge has taken the requests from a wildcard.
  const isSinceUnknown = isAdopted(edgeNow) && !isServedAt(first, tracked);
  const applied: Access = isSinceUnknown || isOfOthers(first) ? { reach: 'nothing' } : first;
  return {
    group,
    trace,
    url: classUrl(tracked.requestClass),
    last: lastAccesses(applied, remembered, tracked.requestClass),
    isLastItsOwn: isReachable(applied) || isOwn,
    remembered,
    now,
    after,
    actual,
    moments: ownMoments,
    hasDrifted: drifted !== -1,
    isUnknown: isAmong(unknown, now.matchedBy) || isAmong(unknown, edgeNow),
    // Without state, what is there now counts as last applied.
    isOfOthers: isOfOthers(actual) && (!isReachable(first) || isOfOthers(first)),
    isAdopted: isAdopted(now.matchedBy),
    isReleased: isReachable(after) && isAmong(released, edgeAfter),
  };
}

function isAmong(instances: ReadonlySet<InstanceKey>, instance: InstanceKey | undefined): boolean {
  return instance !== undefined && instances.has(instance);
}

function withoutOthers(moment: ReachabilityStep): ReachabilityStep {
  const { step } = moment;
  return isOfOthers(moment) ? { reach: 'nothing', ...(step === undefined ? {} : { step }) } : moment;
}

/** Whether the edge has exactly the hostport at which the requests arrive. */
function isServedAt({ edge }: Access, { requestClass }: ReachabilityTrace['tracked']): boolean {
  return edge !== undefined && hostportsOf(edge).includes(requestClass.place);
}

/** Whether a movement is what a plan finds and adopts. */
export function adopts({ role, effect }: Movement): boolean {
  return role === 'drift' && effect.type === 'begins' && !isUnmanaged(effect.instance);
}

/** As last applied, and as recorded when the class was last reachable: an apply may have ended early since. */
function lastAccesses(
  applied: Access,
  remembered: RememberedAccess | undefined,
  requestClass: RequestClass,
): readonly Access[] {
  const recorded = remembered?.accesses ?? [];
  if (!isReachable(applied)) return recorded;
  return remembered !== undefined && isAboutRoute(remembered, applied, requestClass)
    ? [applied, ...recorded]
    : [applied];
}

/** Whether a record is about the class, or about requests of its route only. A record of a wider pattern is older than the route. */
function isAboutRoute({ key }: RememberedAccess, { route, edge }: Access, requestClass: RequestClass): boolean {
  if (key === keyOfClass(requestClass)) return true;
  const [pattern, selector] = [patternOfKey(key), route && routeSelector(route)];
  if (pattern?.place === undefined || pattern.host === undefined || selector === undefined) return false;
  const { place, host, path, exact } = pattern;
  const isOfEdge = place === requestClass.place || hostportsOf(edge).includes(place);
  return isOfEdge && matchesRequest(selector, { ...requestClass, place, host, path: exact ? path : `${path}\0` });
}
