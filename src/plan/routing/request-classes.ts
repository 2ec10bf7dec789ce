import type { Selector } from '../../kinds/kind.ts';
import type { Movement, PlanNode, InstanceKey } from '../order/plan-node.ts';
import { matchesArrival, matchesPath, patternsByPlace, type RequestPattern } from './request-patterns.ts';
import { addToGroup } from '../../model/group-by.ts';
import { answeringFor, meansHost } from '../../model/wildcards.ts';
import type { AccessControls } from './module-effects.ts';
import { routingAtEnd } from './routing-at-end.ts';
import { routingPartition, type RoutingPartition } from './routing-partition.ts';
import { hostWithoutPort, takesHost } from './takes-host.ts';
import { routeSelector } from './route-selector.ts';
import { selectorsByPath } from './selectors-by-path.ts';
import {
  accessControlsFor,
  changedNode,
  changesRouting,
  hostportsOf,
  partOf,
  type RequestClass,
  type RoutingNode,
  type RoutingModel,
} from './routing-model.ts';

/** A probe with what may change what becomes of it. */
export interface TrackedClass<M extends Movement = PlanNode> {
  readonly requestClass: RequestClass;
  readonly instances: ReadonlySet<InstanceKey>;
  readonly nodes: readonly M[];
  readonly before: AccessControls;
  readonly after: AccessControls;
}

/** Edges with their routes that have to do with each other, with the steps that change them. */
export interface RouteGroup<M extends Movement = PlanNode> {
  readonly nodes: readonly M[];
  readonly start: RoutingModel;
  readonly tracked: readonly TrackedClass<M>[];
}

/** What else tells classes apart, and which instances to look at although nothing moves them. */
export interface ClassOptions {
  readonly patterns?: readonly RequestPattern[];
  readonly also?: ReadonlySet<InstanceKey>;
  /** Where it is known already: the same steps in another order. */
  readonly partition?: RoutingPartition;
}

/** The route groups that steps change, each with the request classes that its access controls treat differently. */
export function routeGroupsOf<M extends Movement>(
  routing: RoutingModel,
  nodes: readonly M[],
  { patterns = [], also = new Set(), partition = routingPartition(routing, nodes) }: ClassOptions = {},
): RouteGroup<M>[] {
  const byGroup = new Map<readonly InstanceKey[], M[]>();
  for (const node of nodes)
    if (changesRouting(node.effect, node.kind)) addToGroup(byGroup, partition.together(node.effect.instance), node);
  for (const instance of also) {
    const inside = partition.together(instance);
    if (!byGroup.has(inside)) byGroup.set(inside, []);
  }
  const patternsAt = patternsByPlace(patterns);
  return [...byGroup].map(([inside, own]) => {
    let start: RoutingModel | undefined;
    let tracked: TrackedClass<M>[] | undefined;
    // Only found where somebody asks for them.
    return {
      nodes: own,
      get start() {
        return (start ??= routing.size === 0 ? routing : partOf(routing, inside));
      },
      get tracked() {
        return (tracked ??= watch(this.start, own, allInstances(this.start, own), partition.steady(), patternsAt));
      },
    };
  });
}

/** Steps after all that they wait for: what a step that makes room does is not how things end. */
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

/** Every shape a life takes, from now on through each step. */
function allInstances(routing: RoutingModel, nodes: readonly Movement[]): Map<InstanceKey, RoutingNode[]> {
  const instances = new Map<InstanceKey, RoutingNode[]>([...routing].map(([instance, thing]) => [instance, [thing]]));
  for (const { effect, kind } of nodes) {
    const shapes = instances.get(effect.instance) ?? [];
    if (effect.type === 'begins')
      shapes.push({ kind, spec: effect.spec, ...(effect.parent === undefined ? {} : { parent: effect.parent }) });
    const last = shapes.at(-1);
    if (effect.type === 'changes' && last !== undefined) shapes.push(changedNode(last, effect));
    instances.set(effect.instance, shapes);
  }
  return instances;
}

/** The probes of a district: every place, host and path that some selector tells apart, once per set of lives, in the shapes in which they may catch it. */
function watch<M extends Movement>(
  start: RoutingModel,
  nodes: readonly M[],
  instances: ReadonlyMap<InstanceKey, readonly RoutingNode[]>,
  steady: ReadonlySet<string>,
  patternsAt: (places: Iterable<string>) => readonly RequestPattern[],
): TrackedClass<M>[] {
  const { end, shared } = routingAtEnd(start, nodes);
  const places = new Map<string, Set<InstanceKey>>();
  // By what they live in: only what listens at a place leads its requests on.
  const selectors = new Map<InstanceKey, Selecting[]>();
  for (const [instance, shapes] of instances) {
    for (const shape of shapes) {
      for (const place of hostportsOf(shape)) places.set(place, (places.get(place) ?? new Set()).add(instance));
      if (shape.parent === undefined) continue;
      for (const selector of selectorsOf(shape, instances))
        addToGroup(selectors, shape.parent, {
          instance,
          selector,
          key: `${instance} ${selector.path} ${String(selector.exact)}`,
        });
    }
  }
  const patterns = patternsAt(places.keys());
  const answered = new Set(patterns.filter(({ place }) => place !== undefined && answersHere(place, places, steady)));
  // What is told of a wildcard tells apart the requests to each place that it stands for.
  const covering = new Set(patterns.length === 0 ? [] : [...places.keys()].flatMap(answeringFor));
  const beside = patterns.filter(
    (pattern) => pattern.place === undefined || answered.has(pattern) || covering.has(pattern.place),
  );
  // A path that nobody asks for but the parking of a match is no probe: it is known to nobody while it lasts.
  const temporary = temporaryPaths(nodes);
  const touching = byLife(nodes);
  const tracked: TrackedClass<M>[] = [];
  for (const place of new Set([...places.keys(), ...[...answered].flatMap((pattern) => pattern.place ?? [])])) {
    const answering = steady.has(place) ? [place] : answeringFor(place).filter((one) => places.has(one));
    const listening = new Set(answering.flatMap((one) => [...(places.get(one) ?? [])]));
    const inside = [...listening].flatMap((instance) => selectors.get(instance) ?? []);
    const own = place.slice(0, place.lastIndexOf(':'));
    const meant = beside.filter((pattern) => isMeantAt(pattern, place, own));
    const asked = [
      ...inside.map(({ selector: { host } }) => (host === undefined ? undefined : hostWithoutPort(host))),
      ...meant.map(({ host }) => (host !== undefined && meansHost(own, host) ? host : undefined)),
    ];
    const routed = [
      ...inside.map(({ selector }) => selector).filter(({ path }) => !temporary.has(path)),
      ...meant.filter(({ path }) => !temporary.has(path)),
    ];
    // The widest first, and what begins so before the path itself: where both are caught alike, the first is kept and shown.
    const paths = new Set(routed.map(pathOfSelector).sort((a, b) => widthOf(a) - widthOf(b)));
    const begunBy = selectorsByPath(inside);
    const hosts = asked.filter((host) => host !== undefined);
    const edges = new Set(answering.flatMap((one) => [...(shared.get(one) ?? [])]));
    const port = place.slice(own.length);
    const isListening = (one: string): boolean => steady.has(one) || places.has(one);
    const seen = new Set<string>();
    for (const { host, reading } of readingsOf(new Set([own, ...hosts]), inside, edges)) {
      const isElsewhere = host !== own && answeringFor(`${host}${port}`).find(isListening) !== place;
      const asks = { place, answering, host, ...(isElsewhere ? { isElsewhere } : {}), ...reading } as const;
      // What does not depend on the path is found once: there are many paths.
      const taking = new Set(inside.filter(({ selector }) => takesHost(selector, asks)));
      const meantHere = meant.filter((pattern) => matchesArrival(pattern, asks));
      for (const path of paths) {
        const catching = begunBy(path).filter(
          (one) => taking.has(one) && (!one.selector.exact || one.selector.path === path),
        );
        const known = meantHere.filter((pattern) => matchesPath(pattern, path));
        const key = `${host}\n${reading.answeredBy ?? ''}\n${keysOf(catching, known)}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const requestClass: RequestClass = { ...asks, path };
        const mine = new Set([...catching.map(({ instance }) => instance), ...listening]);
        const before = accessControlsFor(requestClass, start, mine);
        const after = nodes.length === 0 ? before : accessControlsFor(requestClass, end, mine);
        tracked.push({ requestClass, instances: mine, nodes: touching(mine), before, after });
      }
    }
  }
  return tracked;
}

/** What tells a class apart from others of its place and host, in one text. */
function keysOf(...known: readonly (readonly { readonly key: string }[])[]): string {
  const keys = known.flatMap((some) => some.map(({ key }) => key));
  return keys.length < 2 ? (keys[0] ?? '') : [...new Set(keys)].sort().join('\n');
}

type Reading = Pick<RequestClass, 'unclearHosts' | 'answeredBy'>;

/** Every host, read both ways where the meaning of a match is not described, and for each edge that may answer. */
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

/** The widest path that a selector takes, as classes have it: `\0` at its end stands for whatever follows. */
export function pathOfSelector({ path, exact }: Pick<Selector, 'path' | 'exact'>): string {
  return exact ? path : `${path}\0`;
}

/** How much a path of a class takes, for sorting: what begins so, before the path itself. */
export function widthOf(path: string): number {
  return path.endsWith('\0') ? path.length - 1.5 : path.length;
}

function isMeantAt(pattern: RequestPattern, place: string, own: string): boolean {
  if (pattern.place !== undefined) return answeringFor(place).includes(pattern.place);
  return pattern.host === undefined || meansHost(pattern.host, own) || meansHost(own, pattern.host);
}

/** Whether what listens in a group, and nothing else, may answer the requests to a place. */
function answersHere(place: string, places: ReadonlyMap<string, unknown>, steady: ReadonlySet<string>): boolean {
  const first = answeringFor(place).find((one) => steady.has(one) || places.has(one));
  return first !== undefined && places.has(first);
}

/** What a node selects; while its parent passes requests on unread, it may get any of them. */
function selectorsOf(shape: RoutingNode, instances: ReadonlyMap<InstanceKey, readonly RoutingNode[]>): Selector[] {
  const own = routeSelector(shape);
  if (own === undefined) return [];
  const parents = shape.parent === undefined ? [] : (instances.get(shape.parent) ?? []);
  const [isUnread, isRead] = [true, undefined].map((unread) =>
    parents.some(({ passesThrough }) => passesThrough === unread),
  );
  const any: Selector = { host: undefined, path: '/', exact: false };
  return [...(isUnread === true ? [any] : []), ...(isRead === true || isUnread !== true ? [own] : [])];
}

/** A life that selects, in one of its shapes. */
interface Selecting {
  readonly instance: InstanceKey;
  readonly selector: Selector;
  /** By life and shape: two that trade matches both catch both paths, each at another time. */
  readonly key: string;
}

/** The steps that touch one of some lives, in their order. */
function byLife<M extends Movement>(nodes: readonly M[]): (instances: ReadonlySet<InstanceKey>) => M[] {
  if (nodes.length === 0) return () => [];
  const place = new Map(nodes.map((node, index) => [node, index]));
  const own = new Map<InstanceKey, M[]>();
  for (const node of nodes) addToGroup(own, node.effect.instance, node);
  return (instances) =>
    [...instances]
      .flatMap((instance) => own.get(instance) ?? [])
      .sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
}

/** Where matches are parked while others take their places. */
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
