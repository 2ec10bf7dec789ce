import type { Selector } from '../../kinds/kind.ts';
import type { Movement, PlanNode, InstanceKey } from '../order/plan-node.ts';
import { matchesArrival, matchesPath, patternsByPlace, type RequestPattern } from './request-patterns.ts';
import { addToGroup, groupBy } from '../../model/group-by.ts';
import { answeringFor, meansHost } from '../../model/wildcards.ts';
import { edgesAtSameHostport, routingPartition, type RoutingPartition } from './routing-partition.ts';
import { routeSelector, selectorsByPath, hostWithoutPort, takesHost } from './route-selector.ts';
import {
  anyOtherHost,
  changesRouting,
  hostportsOf,
  nodeAfter,
  partOf,
  type Arrival,
  type RequestClass,
  type RoutingNode,
  type RoutingModel,
} from './routing-model.ts';

/** A request class with the instances and steps that can change where its requests go or what they must satisfy. */
export interface TrackedClass<M extends Movement = Movement> {
  readonly requestClass: RequestClass;
  readonly instances: ReadonlySet<InstanceKey>;
  readonly nodes: readonly M[];
}

/** Edges and routes that can take each other's requests, with the steps that change them. */
export interface RouteGroup<M extends Movement = Movement> {
  readonly nodes: readonly M[];
  readonly start: RoutingModel;
  readonly tracked: readonly TrackedClass<M>[];
}

/** What else distinguishes request classes, and which instances to include although no step changes them. */
export interface ClassOptions {
  readonly patterns?: readonly RequestPattern[];
  readonly also?: ReadonlySet<InstanceKey>;
  /** If the caller has it already: the partition does not depend on the order of the steps. */
  readonly partition?: RoutingPartition;
}

/**
 * The route groups that steps change, each with the request classes that its access controls treat differently. One after
 * the other, because the classes of a large account take much memory.
 */
export function* routeGroupsOf<M extends Movement>(
  routing: RoutingModel,
  nodes: readonly M[],
  { patterns = [], also = new Set(), partition = routingPartition(routing, nodes) }: ClassOptions = {},
): Generator<RouteGroup<M>, void> {
  const byGroup = new Map<readonly InstanceKey[], M[]>();
  for (const node of nodes)
    if (changesRouting(node)) addToGroup(byGroup, partition.together(node.effect.instance), node);
  for (const instance of also) {
    const inside = partition.together(instance);
    if (!byGroup.has(inside)) byGroup.set(inside, []);
  }
  const patternsAt = patternsByPlace(patterns);
  for (const [inside, own] of byGroup) {
    let start: RoutingModel | undefined;
    let tracked: TrackedClass<M>[] | undefined;
    // Computed on first use: many groups need neither.
    yield {
      nodes: own,
      get start() {
        return (start ??= routing.size === 0 ? routing : partOf(routing, inside));
      },
      get tracked() {
        return (tracked ??= requestClassesOf(this.start, own, partition.steady(), patternsAt));
      },
    };
  }
}

/** Steps in an order in which they can run. Without it, a step that releases a value temporarily might come last and decide the final routing. */
export function inTurn(nodes: readonly PlanNode[]): PlanNode[] {
  const turn = new Set<PlanNode>();
  const begun = new Set<PlanNode>();
  const open: PlanNode[] = [...nodes].reverse();
  for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
    const earlier = begun.has(node) ? [] : [...node.after.keys()].filter((one) => !begun.has(one));
    begun.add(node);
    if (earlier.length > 0) open.push(...earlier);
    else {
      turn.add(node);
      open.pop();
    }
  }
  return [...turn];
}

/** For each instance, the node as it is now and after each step. */
function allInstances(routing: RoutingModel, nodes: readonly Movement[]): Map<InstanceKey, RoutingNode[]> {
  const instances = new Map<InstanceKey, RoutingNode[]>([...routing].map(([instance, node]) => [instance, [node]]));
  for (const step of nodes) {
    const { instance } = step.effect;
    const shapes = instances.get(instance) ?? [];
    const next = nodeAfter(shapes.at(-1), step);
    instances.set(instance, next === undefined ? shapes : [...shapes, next]);
  }
  return instances;
}

/**
 * The request classes of a route group: every hostport, host and path that some selector distinguishes. Requests that the
 * same nodes match, in the same specs, are one class.
 */
function requestClassesOf<M extends Movement>(
  start: RoutingModel,
  nodes: readonly M[],
  steady: ReadonlySet<string>,
  patternsAt: (places: Iterable<string>) => readonly RequestPattern[],
): TrackedClass<M>[] {
  const instances = allInstances(start, nodes);
  const shared = edgesAtSameHostport(start, nodes);
  const places = new Map<string, Set<InstanceKey>>();
  // By parent: only routes of an edge with the hostport can match its requests.
  const selectors = new Map<InstanceKey, Selecting[]>();
  const numberOf = numbering();
  for (const [instance, shapes] of instances) {
    for (const shape of shapes) {
      for (const place of hostportsOf(shape)) places.set(place, (places.get(place) ?? new Set()).add(instance));
      if (shape.parent === undefined) continue;
      for (const selector of selectorsOf(shape, instances))
        addToGroup(selectors, shape.parent, {
          instance,
          selector,
          number: numberOf(`${instance} ${selector.path} ${String(selector.exact)}`),
        });
    }
  }
  const patterns = patternsAt(places.keys());
  const answered = new Set(patterns.filter(({ place }) => place !== undefined && answersHere(place, places, steady)));
  // A pattern for a wildcard hostport also distinguishes requests to each hostport that the wildcard covers.
  const covering = new Set(patterns.length === 0 ? [] : [...places.keys()].flatMap(answeringFor));
  const beside = patterns.filter(
    (pattern) => pattern.place === undefined || answered.has(pattern) || covering.has(pattern.place),
  );
  const besideAt = groupBy(beside, (pattern) => pattern.place);
  // A temporary match is a path drawn at random: no client sends requests to it, so it makes no class.
  const temporary = temporaryPaths(nodes);
  const touching = stepsByInstance(nodes);
  const tracked: TrackedClass<M>[] = [];
  for (const place of new Set([...places.keys(), ...[...answered].flatMap((pattern) => pattern.place ?? [])])) {
    const answering = steady.has(place) ? [place] : answeringFor(place).filter((one) => places.has(one));
    const listening = new Set(answering.flatMap((one) => [...(places.get(one) ?? [])]));
    const inside = [...listening].flatMap((instance) => selectors.get(instance) ?? []);
    const own = place.slice(0, place.lastIndexOf(':'));
    const matched = new Set(
      inside.flatMap(({ selector: { host } }) => (host === undefined ? [] : hostWithoutPort(host))),
    );
    const meant = [
      ...(besideAt.get(undefined) ?? []).filter(({ host }) => isMeantHost(host, [own, ...matched])),
      ...answeringFor(place).flatMap((one) => besideAt.get(one) ?? []),
    ];
    const hosts = [
      ...matched,
      ...(isLeftToOthers(own, inside) ? [anyOtherHost] : []),
      ...meant.flatMap(({ host, ...one }) =>
        host !== undefined && (one.place === place || host === anyOtherHost || meansHost(own, host)) ? host : [],
      ),
    ];
    const routed = [
      ...inside.map(({ selector }) => selector).filter(({ path }) => !temporary.has(path)),
      ...meant.filter(({ path }) => !temporary.has(path)),
    ];
    // The widest first: if the same routes match two paths, the first is kept and shown.
    const paths = new Set(routed.map(pathOfSelector).sort((a, b) => widthOf(a) - widthOf(b)));
    const selectorsFor = selectorsByPath(inside);
    const edges = new Set(answering.flatMap((one) => [...(shared.get(one) ?? [])]));
    const port = place.slice(own.length);
    const isListening = (one: string): boolean => steady.has(one) || places.has(one);
    const seen = new Map<string, Set<string>>();
    for (const { host, reading } of readingsOf(new Set([own, ...hosts]), inside, edges)) {
      const isElsewhere = host !== own && answeringFor(`${host}${port}`).find(isListening) !== place;
      const asks = { place, answering, host, ...(isElsewhere ? { isElsewhere } : {}), ...reading } as const;
      // Computed once for all paths, because there may be many.
      const taking = new Set(inside.filter(({ selector }) => takesHost(selector, asks)));
      const meantHere = meant
        .filter((pattern) => matchesArrival(pattern, asks) || (isElsewhere && isAboutArrival(pattern, asks, own)))
        .map((pattern) => ({ pattern, number: numberOf(pattern.key) }));
      const arrival = `${host}\n${reading.answeredBy ?? ''}`;
      const seenHere = seen.get(arrival) ?? new Set();
      seen.set(arrival, seenHere);
      for (const path of paths) {
        const matching = selectorsFor(path).filter(
          (one) => taking.has(one) && (!one.selector.exact || one.selector.path === path),
        );
        const known = meantHere.filter(({ pattern }) => matchesPath(pattern, path));
        const key = keyOf([...matching, ...known]);
        if (seenHere.has(key)) continue;
        seenHere.add(key);
        const mine = new Set([...matching.map(({ instance }) => instance), ...listening]);
        tracked.push({ requestClass: { ...asks, path }, instances: mine, nodes: touching(mine) });
      }
    }
  }
  return tracked;
}

/** Gives each text a number of its own: numbers are compared faster. */
function numbering(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
}

/** A text that distinguishes a class from others of the same hostport and host. */
function keyOf(known: readonly { readonly number: number }[]): string {
  const [first, second] = known;
  if (second === undefined) return first === undefined ? '' : String(first.number);
  return [...new Set(known.map(({ number }) => number))].sort((a, b) => a - b).join();
}

type Reading = Pick<RequestClass, 'unclearHosts' | 'answeredBy'>;

/** Every host, for each edge that may answer, and both readings of a match whose meaning the API does not describe. */
function readingsOf(
  hosts: Iterable<string>,
  inside: readonly Selecting[],
  edges: Iterable<InstanceKey>,
): { readonly host: string; readonly reading: Reading }[] {
  const isUnclear = inside.some(({ selector }) => selector.isHostUnclear === true);
  const answered: readonly Reading[] = [...edges].map((answeredBy) => ({ answeredBy }));
  const clear = answered.length === 0 ? [{}] : answered;
  const readings = isUnclear
    ? [...clear, ...clear.map((one) => ({ ...one, unclearHosts: 'ignored' as const }))]
    : clear;
  return readings.flatMap((reading) => [...hosts].map((host) => ({ host, reading })));
}

/** The widest path that a selector matches, in the form of RequestClass: `\0` at its end stands for any continuation. */
export function pathOfSelector({ path, exact }: Pick<Selector, 'path' | 'exact'>): string {
  return exact ? path : `${path}\0`;
}

/** For sorting paths of classes, the widest first: a prefix comes before the same path as an exact one. */
export function widthOf(path: string): number {
  return path.endsWith('\0') ? path.length - 1.5 : path.length;
}

function isMeantHost(host: string | undefined, hosts: readonly string[]): boolean {
  return host === undefined || hosts.some((one) => meansHost(host, one) || meansHost(one, host));
}

/** Whether a setting means requests by where they arrive, whatever their Host header. */
function isAboutArrival(pattern: RequestPattern, asks: Arrival, own: string): boolean {
  return pattern.place === undefined && matchesArrival(pattern, { ...asks, host: own });
}

/** Whether an edge of the group answers the requests to a hostport, and no edge outside it. */
function answersHere(place: string, places: ReadonlyMap<string, unknown>, steady: ReadonlySet<string>): boolean {
  const first = answeringFor(place).find((one) => steady.has(one) || places.has(one));
  return first !== undefined && places.has(first);
}

/** The selectors of a node. While its edge passes TLS through, the route may get any request. */
function selectorsOf(shape: RoutingNode, instances: ReadonlyMap<InstanceKey, readonly RoutingNode[]>): Selector[] {
  const own = routeSelector(shape);
  if (own === undefined) return [];
  const parents = shape.parent === undefined ? [] : (instances.get(shape.parent) ?? []);
  const isUnread = parents.some(({ passesThrough }) => passesThrough === true);
  const isRead = !isUnread || parents.some(({ passesThrough }) => passesThrough !== true);
  const any: Selector = { host: undefined, path: '/', exact: false };
  return [...(isUnread ? [any] : []), ...(isRead ? [own] : [])];
}

/** Whether a match takes the requests that name a host where they arrive, and another match those that name any other host. */
function isLeftToOthers(own: string, inside: readonly Selecting[]): boolean {
  return (
    inside.some(({ selector: { host } }) => host === undefined) &&
    inside.some(({ selector: { host } }) => host !== undefined && meansHost(host, own))
  );
}

interface Selecting {
  readonly instance: InstanceKey;
  readonly selector: Selector;
  /** Of instance and match: two routes that swap matches both match both paths, each at another time. */
  readonly number: number;
}

/** The steps that change one of some instances, in their order. */
function stepsByInstance<M extends Movement>(nodes: readonly M[]): (instances: ReadonlySet<InstanceKey>) => M[] {
  if (nodes.length === 0) return () => [];
  const place = new Map(nodes.map((node, index) => [node, index]));
  const own = new Map<InstanceKey, M[]>();
  for (const node of nodes) addToGroup(own, node.effect.instance, node);
  return (instances) =>
    [...instances]
      .flatMap((instance) => own.get(instance) ?? [])
      .sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
}

/** The temporary matches of routes that swap their matches with others. */
function temporaryPaths(nodes: readonly Movement[]): ReadonlySet<string> {
  return new Set(
    nodes.flatMap(({ role, effect, kind }) => {
      if (role !== 'prepare' || effect.type !== 'changes') return [];
      const field = kind.unique.find(({ temporaryValue }) => typeof temporaryValue === 'object')?.field;
      const path = field === undefined ? undefined : effect.sets[field];
      return typeof path === 'string' ? [path] : [];
    }),
  );
}
