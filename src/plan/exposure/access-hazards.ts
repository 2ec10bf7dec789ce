/*
 * Requests that need to show less after than before (law 4, decisions/0010), reported for the change that causes it.
 *
 *   before                                    after                               reported for
 *   ---------------------------------------   ---------------------------------   --------------------------------------
 *   a class of guard is asked for             it is not                           the last step with which it went
 *   guards of a route and what it lives in    others, which let more through      the last step that sent them elsewhere
 *   caught, and led to no backend             reaches one, without access control the last step with which it was let in
 *
 * Steps that only make room or safety for others are left out: what they take they give back. What a resource itself
 * lets through after an update of its own guards is reported by widened-access.ts.
 */
import type { AccessControl, Filter } from '../../kinds/kind.ts';
import type { Address } from '../../model/address.ts';
import type { Hazard } from '../../model/plan.ts';
import { instanceName, type PlanNode, type InstanceKey } from '../order/plan-node.ts';
import {
  reachesBackend,
  reachabilityTraces,
  lostAtStep,
  type ReachabilityStep,
  type ReachabilityTrace,
} from './reachability.ts';
import type { RouteGroup } from './request-classes.ts';
import { listSome } from '../list-some.ts';
import {
  UNREACHABLE,
  accessControlClasses,
  isPublic,
  removedAccessControls,
  type RequestClass,
  type RoutingNode,
} from './routing-model.ts';
import { widenedControls } from './widened-access.ts';

/** The hazards of requests that come through more easily, each reported once with all the URLs it concerns. */
export function accessHazards(routeGroups: readonly RouteGroup[]): Hazard[] {
  const found = new Map<
    string,
    { readonly address: Address; readonly how: string; readonly requestClasses: RequestClass[] }
  >();
  for (const routeGroup of routeGroups) {
    const steps = routeGroup.nodes.filter(({ role }) => role !== 'prepare');
    for (const trace of reachabilityTraces(routeGroup, steps)) {
      for (const { step, how } of openingsOf(trace)) {
        const key = `${step.address}\n${how}`;
        const known = found.get(key) ?? { address: step.address, how, requestClasses: [] };
        known.requestClasses.push(trace.tracked.requestClass);
        found.set(key, known);
      }
    }
  }
  return [...found.values()]
    .map(({ address, how, requestClasses }): Hazard => ({
      code: 'OPENS_ACCESS',
      address,
      message: `requests to ${listSome(placesOf(requestClasses))} ${how}`,
    }))
    .sort((a, b) => compareText(a.address, b.address) || compareText(a.message, b.message));
}

/** The usual names of what may refuse a request. */
const checkNames: Readonly<Record<AccessControl | Filter, string>> = {
  authentication: 'authentication',
  network: 'IP restriction',
  'client-certificate': 'mutual TLS',
  signature: 'signature verification',
  agent: 'user agent filter',
  tls: 'TLS termination settings',
  policy: 'traffic policy',
};

interface Opening {
  readonly step: PlanNode;
  readonly how: string;
}

function openingsOf(trace: ReachabilityTrace): Opening[] {
  const { first, last } = trace;
  if (!reachesBackend(last)) return [];
  if (!reachesBackend(first))
    return first.catcher !== undefined && isPublic(last.guards)
      ? openingAt(
          lostAtStep(trace, (moment) => !reachesBackend(moment)),
          'now reach a backend without access control',
        )
      : [];
  const lost = removedAccessControls(first.guards, last.guards);
  if (lost.length === 0) return elsewhere(trace);
  const by = new Map<PlanNode, (AccessControl | Filter)[]>();
  for (const guard of lost) {
    const bit = 1 << accessControlClasses.indexOf(guard);
    const step = lostAtStep(trace, ({ guards }) => guards === UNREACHABLE || (guards & bit) !== 0);
    if (step !== undefined) by.set(step, [...(by.get(step) ?? []), guard]);
  }
  return [...by].map(([step, classes]) => ({
    step,
    how: `are no longer subject to ${classes.map((name) => checkNames[name]).join(', ')}`,
  }));
}

/** Guards of the same classes, but those of another resource, which may let others pass. */
function elsewhere(trace: ReachabilityTrace): Opening[] {
  const { first, last } = trace;
  const more = [
    ...(addressOf(first.catcher) === addressOf(last.catcher) ? [] : moreThan(first.catching, last.catching)),
    ...(addressOf(first.catching?.parent) === addressOf(last.catching?.parent) ? [] : moreThan(first.home, last.home)),
  ];
  if (more.length === 0) return [];
  const step = lostAtStep(trace, (moment) => !isCaughtAs(moment, last));
  return openingAt(step, `are now handled by ${addressOf(last.catcher)}: ${listSome(more)}`);
}

function isCaughtAs(moment: ReachabilityStep, last: ReachabilityStep): boolean {
  return moment.catcher === last.catcher && moment.catching?.parent === last.catching?.parent;
}

function moreThan(before: RoutingNode | undefined, after: RoutingNode | undefined): string[] {
  return before === undefined || after === undefined ? [] : widenedControls(after.kind, before.spec, after.spec);
}

function addressOf(instance: InstanceKey | undefined): Address {
  return instance === undefined ? '' : instanceName(instance);
}

function openingAt(step: PlanNode | undefined, how: string): Opening[] {
  return step === undefined ? [] : [{ step, how }];
}

/** Probes as places to read, each once: what begins so stands for the path itself as well. */
function placesOf(requestClasses: readonly RequestClass[]): string[] {
  const all = new Set(requestClasses.map(placeOf));
  return [...all].filter((place) => !all.has(`${place}…`)).sort();
}

function placeOf({ place, host, path }: RequestClass): string {
  const asked = path.replace('\0', '…');
  return place.startsWith(`${host}:`) ? `${place}${asked}` : `${host}${asked} at ${place}`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
