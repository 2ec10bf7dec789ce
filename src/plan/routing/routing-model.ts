/*
 * A small model of how the gateway routes requests: which request reaches a backend, and which access controls and
 * filters it must satisfy. With it, order-traffic.ts tries out steps before they are put in the plan (law 4,
 * decisions/0010).
 *
 * The model knows an access control by its class only, because a swap within a class is never a gap, and by whether
 * OPTIONS requests must satisfy it too. What a request must satisfy is a set of classes, kept as bits; a request that
 * reaches nothing has the value `UNREACHABLE`, which contains all bits. The order of steps keeps access controls and
 * filters; whether a request is public depends on access controls alone. A route reaches something if it has a backend,
 * or a traffic policy, which may forward or answer (decisions/0045).
 *
 *   the edge that answers     has the exact hostport, else the longest wildcard that covers it; if several edges have
 *                             it, any of them may answer (decisions/0056)
 *   the route that matches    has the exact host, else the longest wildcard, else no host; then the exact path, else
 *                             the longest prefix
 */
import type { Kind, Selector } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import type { FilledIn } from '../../model/state.ts';
import type { Effect, InstanceKey, Movement } from '../order/plan-node.ts';
import { rankOfHost } from '../../model/wildcards.ts';
import { moduleEffects, type AccessControls, type Reach } from './module-effects.ts';
import { accessControlClasses, accessControls, routingModules } from './routing-modules.ts';
import { routeSelector, takesHost } from './route-selector.ts';

/** The request reaches nothing. All bits are set, so that it counts as satisfying every access control. */
export const UNREACHABLE: AccessControls = -1;

const ANY_ACCESS_CONTROL: AccessControls = (1 << accessControls.length) - 1;

/** Whether anyone may send the request: filters alone never keep a request from being public. */
export function isPublic(controls: AccessControls): boolean {
  return (controls & ANY_ACCESS_CONTROL) === 0;
}

/** A resource that takes part in routing: an edge, which has hostports, or a route, which matches requests to its edge. */
export interface RoutingNode {
  readonly kind: Kind;
  readonly spec: SpecObject;
  readonly parent?: InstanceKey;
  /** TLS passes through the edge to the upstream service, so that no module can read the requests. */
  readonly passesThrough?: true;
  /** An unmanaged edge without a route of this stack, before a plan and after it: its wildcard may take requests meanwhile. */
  readonly isOnlyBeside?: true;
  /** The spec comes from state: secrets and external values are known by their digests only. */
  readonly isRemembered?: true;
  /** What was last applied, where that is known: what it leaves out, the service may have filled in. */
  readonly applied?: SpecObject;
  /** Limits that it has filled in, as it showed them then. */
  readonly filledIn?: FilledIn;
}

/** The edges and routes of the account at one moment, by instance. */
export type RoutingModel = ReadonlyMap<InstanceKey, RoutingNode>;

/** A class of requests that are routed alike: the hostport where they arrive, their host, and their path. */
export interface RequestClass {
  readonly place: string;
  /** The hostports that may answer, the most specific first: the first one that an edge has does. */
  readonly answering: readonly string[];
  readonly host: string;
  /** Another edge has the hostport of this host, so only requests that are sent to `place` with this host arrive here. */
  readonly isElsewhere?: true;
  readonly path: string;
  /** The reading of a host in a match whose meaning the API does not describe: `ignored`, or else what it seems to mean. */
  readonly unclearHosts?: 'ignored';
  /** The edge that answers, where several have the hostport. Without it, the one with the least access control counts. */
  readonly answeredBy?: InstanceKey;
}

/** The host of requests whose Host header names none that a match means: a client may send any, wherever it connects. */
export const anyOtherHost = '*';

/** How a request arrives, whatever its path. */
export type Arrival = Pick<RequestClass, 'place' | 'host' | 'unclearHosts'>;

/** The requests to a hostport by its own name, where no other hostport answers them. */
export function classAt(place: string, path: string): RequestClass {
  return { place, answering: [place], host: place.slice(0, place.lastIndexOf(':')), path };
}

/** Whether resources of a kind take part in routing. */
export function takesPartInRouting(kind: Kind): boolean {
  return kind.traffic !== undefined;
}

/** Whether a step can change which requests reach something, or what they must satisfy. */
export function changesRouting({ effect, kind }: MovementOnRouting): boolean {
  if (!takesPartInRouting(kind)) return false;
  if (effect.type !== 'changes' || effect.passesThrough === true) return true;
  return Object.keys(effect.sets).some((name) => routingModules(kind).decisive.has(name));
}

/** The routing after some steps. The routes of a deleted edge match nothing from then on. */
export function routingAfter(routing: RoutingModel, steps: Iterable<MovementOnRouting>): Map<InstanceKey, RoutingNode> {
  const next = new Map(routing);
  for (const step of steps) applyStep(next, step);
  return next;
}

type MovementOnRouting = Pick<Movement, 'effect' | 'kind'>;

/** Applies a step to the routing in place. */
export function applyStep(routing: Map<InstanceKey, RoutingNode>, step: MovementOnRouting): void {
  const { instance } = step.effect;
  const next = nodeAfter(routing.get(instance), step);
  // Routes of an edge that is gone stay in the map, but match nothing any more: a route needs an edge with the hostport.
  if (next === undefined) routing.delete(instance);
  else routing.set(instance, next);
}

/** The node of an instance after a step on it; undefined where there is none. */
export function nodeAfter(node: RoutingNode | undefined, { effect, kind }: MovementOnRouting): RoutingNode | undefined {
  if (effect.type === 'ends') return undefined;
  if (effect.type === 'begins')
    return { kind, spec: effect.spec, ...(effect.parent === undefined ? {} : { parent: effect.parent }) };
  return node && changedNode(node, effect);
}

type Changes = Effect & { readonly type: 'changes' };

// The order of steps is found by trying: the same change of the same node is made again and again.
const lastChanged = new WeakMap<Changes, { readonly from: RoutingNode; readonly to: RoutingNode }>();

// The same object for the same two, one after the other.
function changedNode(node: RoutingNode, change: Changes): RoutingNode {
  const known = lastChanged.get(change);
  if (known?.from === node) return known.to;
  const { sets, passesThrough } = change;
  const changed: RoutingNode = {
    ...node,
    spec: { ...node.spec, ...sets },
    ...(node.applied === undefined ? {} : { applied: { ...node.applied, ...sets } }),
    ...(passesThrough === undefined ? {} : { passesThrough }),
  };
  lastChanged.set(change, { from: node, to: changed });
  return changed;
}

/** The routing reduced to some instances. */
export function partOf(routing: RoutingModel, instances: Iterable<InstanceKey>): Map<InstanceKey, RoutingNode> {
  const part = new Map<InstanceKey, RoutingNode>();
  for (const instance of instances) {
    const node = routing.get(instance);
    if (node !== undefined) part.set(instance, node);
  }
  return part;
}

/** The route that matches a request class: the most specific one of the edge that answers. */
export function matchingNode(
  requestClass: RequestClass,
  routing: RoutingModel,
  instances: Iterable<InstanceKey>,
): InstanceKey | undefined {
  const place = answeredAt(requestClass, routing, instances);
  // One route for each edge with the hostport.
  const best: Candidate[] = [];
  for (const instance of instances) {
    const node = routing.get(instance);
    if (node?.parent === undefined) continue;
    const parent = routing.get(node.parent);
    if (parent === undefined || !listensAt(parent, place)) continue;
    const own = routeSelector(node);
    // No route can read a request that passes through, so any of them may take it: assume one that reaches something.
    const isUnread = own !== undefined && parent.passesThrough === true;
    const selector = isUnread ? anyRequest(moduleEffects(node).reach) : own;
    if (selector === undefined || !(isUnread || matchesRequest(selector, requestClass))) continue;
    const one = { selector, node, instance, edge: node.parent };
    const at = best.findIndex(({ edge }) => edge === one.edge);
    const other = best[at];
    if (other === undefined) best.push(one);
    else if (comesBefore(one, other)) best[at] = one;
  }
  return amongEdges(best, requestClass, routing)?.instance;
}

/** The route that counts, of one for each edge with the hostport: that of `answeredBy` if it reaches something, else the one with the least access control. */
function amongEdges(best: readonly Candidate[], asked: RequestClass, routing: RoutingModel): Candidate | undefined {
  const [first, ...others] = best;
  if (first === undefined || others.length === 0) return first;
  const meant = best.find(({ edge }) => edge === asked.answeredBy);
  if (meant !== undefined && moduleEffects(meant.node).reach !== 'nothing') return meant;
  const strictnessOf = ({ edge, node }: Candidate): number => strictness(node, routing.get(edge));
  return others.reduce((least, one) => (strictnessOf(one) < strictnessOf(least) ? one : least), first);
}

function answeredAt(asked: RequestClass, routing: RoutingModel, instances: Iterable<InstanceKey>): string {
  const { place, answering } = asked;
  if (answering.length === 1) return answering[0] ?? place;
  const listening = new Set<string>();
  for (const instance of instances) for (const one of hostportsOf(routing.get(instance))) listening.add(one);
  return answering.find((one) => listening.has(one)) ?? place;
}

/** The hostports of a node, in lower case; none where there is no node. */
export function hostportsOf(node: Pick<RoutingNode, 'kind' | 'spec'> | undefined): string[] {
  const field = node?.kind.traffic?.listens;
  const places = field === undefined ? undefined : node?.spec[field];
  return Array.isArray(places) ? places.map(spelledPlace) : [];
}

/** The same as asking for all its hostports, for the many calls that need no list. */
function listensAt({ kind, spec }: RoutingNode, place: string): boolean {
  const field = kind.traffic?.listens;
  const places = field === undefined ? undefined : spec[field];
  return Array.isArray(places) && places.some((one) => spelledPlace(one) === place);
}

function spelledPlace(place: unknown): string {
  return String(place).toLowerCase();
}

/** Whether a selector matches a request class. */
export function matchesRequest(selector: Selector, requestClass: RequestClass): boolean {
  if (!takesHost(selector, requestClass)) return false;
  return selector.exact ? requestClass.path === selector.path : requestClass.path.startsWith(selector.path);
}

/** The number of classes, for finding the resource with the most access control. */
export function countAccessControls(controls: AccessControls): number {
  return controls === UNREACHABLE
    ? Infinity
    : accessControlClasses.filter((_, bit) => (controls & (1 << bit)) !== 0).length;
}

/** Law 4 for one request class: its requests must satisfy all that they must before the apply, or all that they must after it. */
export function keepsAccessControl(now: AccessControls, before: AccessControls, after: AccessControls): boolean {
  return before === 0 || after === 0 || (now & before) === before || (now & after) === after;
}

function anyRequest(reach: Reach): Selector {
  return { host: undefined, path: { nothing: '', policy: '/', backend: '//' }[reach], exact: false };
}

interface Candidate {
  readonly selector: Selector;
  readonly node: RoutingNode;
  readonly instance: InstanceKey;
  readonly edge: InstanceKey;
}

/** Whether one of two matching routes gets the request. With equal selectors either may: the one with less access control counts. */
function comesBefore(one: Candidate, other: Candidate): boolean {
  if (isMoreSpecific(one.selector, other.selector)) return true;
  return !isMoreSpecific(other.selector, one.selector) && strictness(one.node) < strictness(other.node);
}

function strictness(route: RoutingNode, edge?: RoutingNode): number {
  if (moduleEffects(route).reach === 'nothing') return Infinity;
  if (edge?.passesThrough === true) return 0;
  const nodes = edge === undefined ? [route] : [edge, route];
  const asked = nodes.reduce((all, node) => all | moduleEffects(node).controls, 0);
  if (isPublic(asked)) return 0;
  return nodes.some((node) => moduleEffects(node).asksOptions) ? 1 + countAccessControls(asked) : 1;
}

/** A host comes before a wildcard, a wildcard before no host, an exact path before a prefix, a longer path before a shorter one. */
export function isMoreSpecific(a: Selector, b: Selector): boolean {
  const [one, other] = [rankOfHost(a.host), rankOfHost(b.host)];
  if (one !== other) return one > other;
  if (a.exact !== b.exact) return a.exact;
  return a.path.length > b.path.length;
}
