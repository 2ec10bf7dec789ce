/*
 * A small model of the front door: which request reaches a backend, and what it must show to get there.
 * It exists so that order-traffic.ts can try a step before it is put in the plan (law 4, decisions/0010).
 *
 * A guard is known by its class alone, because a swap within a class is never a gap, and by whether OPTIONS requests
 * must satisfy it too. What a request must show is a set of classes, kept as bits; a request that reaches no backend has to show everything, `CLOSED`. Access controls
 * and filters both count in the order of steps; whether a request is public, access controls alone decide.
 * A route leads somewhere with a backend, or with a traffic policy, which may forward or answer (decisions/0045).
 *
 *   a request comes to             the exact hostport, else the longest wildcard that covers it; where several edges have
 *                                  it, any of them may answer (decisions/0056)
 *   and there to the route with    an exact host, else the longest wildcard, else none; then an exact path, else the
 *                                  longest prefix
 */
import type { Kind, Selector } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import type { Effect, InstanceKey } from '../order/plan-node.ts';
import { rankOfHost } from '../../model/wildcards.ts';
import { moduleEffects, type AccessControls, type Reach } from './module-effects.ts';
import { accessControlClasses, accessControls, routingModules } from './routing-modules.ts';
import { routeSelector } from './route-selector.ts';
import { takesHost } from './takes-host.ts';

/** The request reaches no backend. */
export const UNREACHABLE: AccessControls = -1;

const ANY_ACCESS_CONTROL: AccessControls = (1 << accessControls.length) - 1;

/** Whether anybody may pass: filters alone never keep a request from being public. */
export function isPublic(guards: AccessControls): boolean {
  return (guards & ANY_ACCESS_CONTROL) === 0;
}

/** One thing that takes part: something that listens, or selects among the requests of what it lives in. */
export interface RoutingNode {
  readonly kind: Kind;
  readonly spec: SpecObject;
  readonly parent?: InstanceKey;
  /** Its requests pass through unread. */
  readonly passesThrough?: true;
  /** Its secrets and values from outside are known by their digests alone. */
  readonly isRemembered?: true;
}

/** All that takes part, by life. */
export type RoutingModel = ReadonlyMap<InstanceKey, RoutingNode>;

/** A sort of request: where it arrives, the host it asks for, and a path. */
export interface RequestClass {
  readonly place: string;
  /** The places that may answer it, the most specific first: the first at which something listens does. */
  readonly answering: readonly string[];
  readonly host: string;
  /** Something else listens at the host's own hostport: only requests that name it elsewhere arrive here. */
  readonly isElsewhere?: true;
  readonly path: string;
  /** How hosts of matches whose meaning is not described are read. Without it they take what they seem to mean. */
  readonly unclearHosts?: 'ignored';
  /** The edge that answers where several have the hostport. Without it the one counts that lets most through. */
  readonly answeredBy?: InstanceKey;
}

/** Whether a kind takes part at all. */
export function takesPartInRouting(kind: Kind): boolean {
  return kind.traffic !== undefined;
}

/** Whether a step can change which requests reach a backend, or what they must show. */
export function changesRouting(effect: Effect, kind: Kind): boolean {
  if (!takesPartInRouting(kind) || effect.type !== 'changes' || effect.passesThrough === true)
    return takesPartInRouting(kind);
  const { decisive } = routingModules(kind);
  return Object.keys(effect.sets).some((name) => decisive.has(name));
}

/** The world after a step. Ending a life ends what lives in it. */
export function routingAfter(routing: RoutingModel, effect: Effect, kind: Kind): RoutingModel {
  const next = new Map(routing);
  applyStep(next, effect, kind);
  return next;
}

/** Makes a world what it is after a step. */
export function applyStep(routing: Map<InstanceKey, RoutingNode>, effect: Effect, kind: Kind): void {
  if (effect.type === 'begins') {
    routing.set(effect.instance, {
      kind,
      spec: effect.spec,
      ...(effect.parent === undefined ? {} : { parent: effect.parent }),
    });
  } else if (effect.type === 'changes') {
    const thing = routing.get(effect.instance);
    if (thing !== undefined) routing.set(effect.instance, changedNode(thing, effect));
  } else {
    // What lives in it stays behind in the map, and catches nothing any more: it takes something that listens.
    routing.delete(effect.instance);
  }
}

/** The part of a world that some lives make up. */
export function partOf(routing: RoutingModel, instances: Iterable<InstanceKey>): Map<InstanceKey, RoutingNode> {
  const part = new Map<InstanceKey, RoutingNode>();
  for (const instance of instances) {
    const node = routing.get(instance);
    if (node !== undefined) part.set(instance, node);
  }
  return part;
}

/** A node after a change. */
export function changedNode(node: RoutingNode, { sets, passesThrough }: Effect & { type: 'changes' }): RoutingNode {
  return { ...node, spec: { ...node.spec, ...sets }, ...(passesThrough === undefined ? {} : { passesThrough }) };
}

/** What a probe must show, given only the lives that can matter to it. */
export function accessControlsFor(
  requestClass: RequestClass,
  routing: RoutingModel,
  instances: Iterable<InstanceKey>,
): AccessControls {
  const instance = matchingNode(requestClass, routing, instances);
  const route = instance === undefined ? undefined : routing.get(instance);
  if (route === undefined || moduleEffects(route).reach === 'nothing') return UNREACHABLE;
  const edge = route.parent === undefined ? undefined : routing.get(route.parent);
  if (edge?.passesThrough === true) return 0;
  return moduleEffects(route).controls | (edge === undefined ? 0 : moduleEffects(edge).controls);
}

/** The route that takes a request: the most specific one of the edge that answers where it arrives. */
export function matchingNode(
  requestClass: RequestClass,
  routing: RoutingModel,
  instances: Iterable<InstanceKey>,
): InstanceKey | undefined {
  const place = answeredAt(requestClass, routing, instances);
  // One for each edge that listens there.
  const best: Candidate[] = [];
  for (const instance of instances) {
    const thing = routing.get(instance);
    if (thing?.parent === undefined) continue;
    const parent = routing.get(thing.parent);
    if (parent === undefined || !listensAt(parent, place)) continue;
    const own = routeSelector(thing);
    // Nobody reads what passes through unread, so any of the routes may take it: one that leads somewhere is the worst.
    const isUnread = own !== undefined && parent.passesThrough === true;
    const selector = isUnread ? anyRequest(moduleEffects(thing).reach) : own;
    if (selector === undefined || !(isUnread || matchesRequest(selector, requestClass))) continue;
    const one = { selector, thing, instance, edge: thing.parent };
    const at = best.findIndex(({ edge }) => edge === one.edge);
    const other = best[at];
    if (other === undefined) best.push(one);
    else if (comesBefore(one, other)) best[at] = one;
  }
  return amongEdges(best, requestClass, routing)?.instance;
}

/** What answers, given the route of each edge with the hostport: that of the edge meant if it leads somewhere, else the one that lets most through. */
function amongEdges(
  best: readonly Candidate[],
  { answeredBy }: RequestClass,
  routing: RoutingModel,
): Candidate | undefined {
  const [first, ...others] = best;
  if (first === undefined || others.length === 0) return first;
  const meant = best.find(({ edge }) => edge === answeredBy);
  if (meant !== undefined && moduleEffects(meant.thing).reach !== 'nothing') return meant;
  const strictnessOf = ({ edge, thing }: Candidate): number => strictness(thing, routing.get(edge));
  return others.reduce((least, one) => (strictnessOf(one) < strictnessOf(least) ? one : least), first);
}

/** The place that answers a probe now. */
function answeredAt(
  { place, answering }: RequestClass,
  routing: RoutingModel,
  instances: Iterable<InstanceKey>,
): string {
  if (answering.length === 1) return answering[0] ?? place;
  const listening = new Set<string>();
  for (const instance of instances) {
    const thing = routing.get(instance);
    if (thing !== undefined) for (const one of hostportsOf(thing)) listening.add(one);
  }
  return answering.find((one) => listening.has(one)) ?? place;
}

/** The places a thing answers at, spelled one way. */
export function hostportsOf({ kind, spec }: Pick<RoutingNode, 'kind' | 'spec'>): string[] {
  const field = kind.traffic?.listens;
  const places = field === undefined ? undefined : spec[field];
  return Array.isArray(places) ? places.map(spelledPlace) : [];
}

/** Whether a thing answers at a place. */
function listensAt({ kind, spec }: RoutingNode, place: string): boolean {
  const field = kind.traffic?.listens;
  const places = field === undefined ? undefined : spec[field];
  return Array.isArray(places) && places.some((one) => spelledPlace(one) === place);
}

function spelledPlace(place: unknown): string {
  return String(place).toLowerCase();
}

/** Whether a selector takes a probe. */
export function matchesRequest(selector: Selector, requestClass: RequestClass): boolean {
  if (!takesHost(selector, requestClass)) return false;
  return selector.exact ? requestClass.path === selector.path : requestClass.path.startsWith(selector.path);
}

/** How many classes of guard, for choosing the most guarded. */
export function countAccessControls(guards: AccessControls): number {
  return guards === UNREACHABLE
    ? Infinity
    : accessControlClasses.filter((_, bit) => (guards & (1 << bit)) !== 0).length;
}

/** Law 4 for one probe: nothing is let through now that was held up before and will be held up after. */
export function keepsAccessControl(now: AccessControls, before: AccessControls, after: AccessControls): boolean {
  return before === 0 || after === 0 || (now & before) === before || (now & after) === after;
}

function anyRequest(reach: Reach): Selector {
  return { host: undefined, path: { nothing: '', policy: '/', backend: '//' }[reach], exact: false };
}

/** What may take a request. */
interface Candidate {
  readonly selector: Selector;
  readonly thing: RoutingNode;
  readonly instance: InstanceKey;
  readonly edge: InstanceKey;
}

/** Whether one of two takes a request that both select. Of two equal selectors either may: the one that lets more through counts. */
function comesBefore(one: Candidate, other: Candidate): boolean {
  if (isMoreSpecific(one.selector, other.selector)) return true;
  return !isMoreSpecific(other.selector, one.selector) && strictness(one.thing) < strictness(other.thing);
}

function strictness(route: RoutingNode, edge?: RoutingNode): number {
  if (moduleEffects(route).reach === 'nothing') return Infinity;
  if (edge?.passesThrough === true) return 0;
  const nodes = edge === undefined ? [route] : [edge, route];
  const asked = nodes.reduce((all, node) => all | moduleEffects(node).controls, 0);
  if (isPublic(asked)) return 0;
  return nodes.some((node) => moduleEffects(node).asksOptions) ? 1 + countAccessControls(asked) : 1;
}

/** A host before a wildcard, a wildcard before none, exact before prefix, longer before shorter. */
export function isMoreSpecific(a: Selector, b: Selector): boolean {
  const [one, other] = [rankOfHost(a.host), rankOfHost(b.host)];
  if (one !== other) return one > other;
  if (a.exact !== b.exact) return a.exact;
  return a.path.length > b.path.length;
}
