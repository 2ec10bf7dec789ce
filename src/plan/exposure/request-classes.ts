import type { Selector } from '../../kinds/kind.ts';
import type { Account } from '../../model/actual.ts';
import type { Address } from '../../model/address.ts';
import type { KindSet } from '../../kinds/kind-set.ts';
import type { Decision } from '../decide.ts';
import { existingInstance, unmanagedInstance, type PlanNode, type InstanceKey } from '../order/plan-node.ts';
import { answeringFor } from '../../model/wildcards.ts';
import {
  applyStep,
  matchesRequest,
  accessControlsFor,
  changesRouting,
  hostportsOf,
  takesPartInRouting,
  type AccessControls,
  type RequestClass,
  type RoutingNode,
  type RoutingModel,
} from './routing-model.ts';

/** A probe with what may change what becomes of it. */
export interface TrackedClass {
  readonly requestClass: RequestClass;
  readonly instances: ReadonlySet<InstanceKey>;
  readonly nodes: readonly PlanNode[];
  readonly before: AccessControls;
  readonly after: AccessControls;
}

/** Edges with their routes that have to do with each other, with the steps that change them. */
export interface RouteGroup {
  readonly nodes: readonly PlanNode[];
  readonly start: RoutingModel;
  readonly tracked: readonly TrackedClass[];
}

/** The account as it is, as far as traffic goes: what is ours, and what is not but lives inside ours. */
export function currentRouting(
  decisions: ReadonlyMap<Address, Decision>,
  account: Account,
  kinds: KindSet,
): RoutingModel {
  const routing = new Map<InstanceKey, RoutingNode>();
  const instanceOfId = new Map<string, InstanceKey>();
  const things = [...decisions.values()].filter(
    ({ pair }) => pair.actual !== undefined && takesPartInRouting(pair.kind),
  );
  for (const { pair } of things)
    if (pair.actual !== undefined) instanceOfId.set(pair.actual.id, existingInstance(pair.address));
  for (const { pair } of things) {
    const parent = pair.actual?.parent === undefined ? undefined : instanceOfId.get(pair.actual.parent);
    if (pair.actual !== undefined)
      routing.set(existingInstance(pair.address), {
        kind: pair.kind,
        spec: pair.actual.spec,
        ...(parent === undefined ? {} : { parent }),
        ...(pair.kind.traffic?.passesThrough?.(pair.actual.computed) === true ? { passesThrough: true } : {}),
      });
  }
  for (const actual of account.foreign) {
    const kind = kinds.named(actual.kind);
    const parent = actual.parent === undefined ? undefined : instanceOfId.get(actual.parent);
    if (kind !== undefined && parent !== undefined && takesPartInRouting(kind))
      routing.set(unmanagedInstance(actual.id), { kind, spec: actual.spec, parent });
  }
  return routing;
}

/** The route groups that steps change, each with the request classes that its access controls treat differently. */
export function routeGroupsOf(routing: RoutingModel, nodes: readonly PlanNode[]): RouteGroup[] {
  const moving = inTurn(nodes).filter(({ effect, kind }) => changesRouting(effect, kind));
  const instances = allInstances(routing, moving);
  const steady = steadyPlaces(routing, moving);
  const groups = groupInstances(instances, steady);
  const byGroup = new Map<InstanceKey, PlanNode[]>();
  for (const node of moving) {
    add(byGroup, groups.find(node.effect.instance), node);
  }
  const members = new Map<InstanceKey, InstanceKey[]>();
  for (const instance of instances.keys()) {
    const group = groups.find(instance);
    if (byGroup.has(group)) add(members, group, instance);
  }
  return [...byGroup].map(([group, own]) => {
    const inside = members.get(group) ?? [];
    const start = new Map(
      inside.flatMap((instance): [InstanceKey, RoutingNode][] =>
        routing.has(instance) ? [[instance, routing.get(instance) as RoutingNode]] : [],
      ),
    );
    return {
      nodes: own,
      start,
      tracked: watch(start, own, new Map(inside.map((instance) => [instance, instances.get(instance) ?? []])), steady),
    };
  });
}

/** Steps after all that they wait for: what a step that makes room does is not how things end. */
function inTurn(nodes: readonly PlanNode[]): PlanNode[] {
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
function allInstances(routing: RoutingModel, nodes: readonly PlanNode[]): Map<InstanceKey, RoutingNode[]> {
  const instances = new Map<InstanceKey, RoutingNode[]>([...routing].map(([instance, thing]) => [instance, [thing]]));
  for (const { effect, kind } of nodes) {
    const shapes = instances.get(effect.instance) ?? [];
    if (effect.type === 'begins')
      shapes.push({ kind, spec: effect.spec, ...(effect.parent === undefined ? {} : { parent: effect.parent }) });
    const last = shapes.at(-1);
    if (effect.type === 'changes' && last !== undefined)
      shapes.push({ ...last, spec: { ...last.spec, ...effect.sets } });
    instances.set(effect.instance, shapes);
  }
  return instances;
}

/** Places at which something listens all along, so that no wildcard ever takes their requests. */
function steadyPlaces(routing: RoutingModel, moving: readonly PlanNode[]): ReadonlySet<string> {
  const moved = new Set(
    moving.flatMap(({ effect, kind }) => {
      const listens = kind.traffic?.listens;
      const stays = effect.type === 'changes' && (listens === undefined || !Object.hasOwn(effect.sets, listens));
      return stays ? [] : [effect.instance];
    }),
  );
  return new Set([...routing].flatMap(([instance, thing]) => (moved.has(instance) ? [] : hostportsOf(thing))));
}

/** Lives that share a parent, a place, or an address belong together, and those at a wildcard with those whose requests it may take. */
function groupInstances(
  instances: ReadonlyMap<InstanceKey, readonly RoutingNode[]>,
  steady: ReadonlySet<string>,
): { find: (instance: InstanceKey) => InstanceKey } {
  const above = new Map<InstanceKey, InstanceKey>();
  const find = (instance: InstanceKey): InstanceKey => {
    let root = instance;
    for (let next = above.get(root); next !== undefined; next = above.get(root)) root = next;
    if (root !== instance) above.set(instance, root);
    return root;
  };
  const join = (a: InstanceKey, b: InstanceKey): void => {
    const [x, y] = [find(a), find(b)];
    if (x !== y) above.set(x, y);
  };
  const atPlace = new Map<string, InstanceKey>();
  for (const [instance, shapes] of instances) {
    for (const shape of shapes) {
      if (shape.parent !== undefined) join(instance, shape.parent);
      for (const place of hostportsOf(shape)) {
        const other = atPlace.get(place);
        if (other === undefined) atPlace.set(place, instance);
        else join(instance, other);
      }
    }
  }
  for (const [place, instance] of atPlace) {
    if (steady.has(place)) continue;
    for (const wildcard of answeringFor(place)) join(instance, atPlace.get(wildcard) ?? instance);
  }
  return { find };
}

/** The probes of a district: every place, host and path that some selector tells apart, once per set of lives, in the shapes in which they may catch it. */
function watch(
  start: RoutingModel,
  nodes: readonly PlanNode[],
  instances: ReadonlyMap<InstanceKey, readonly RoutingNode[]>,
  steady: ReadonlySet<string>,
): TrackedClass[] {
  const end = new Map(start);
  for (const { effect, kind } of nodes) applyStep(end, effect, kind);
  const places = new Map<string, Set<InstanceKey>>();
  // By what they live in: only what listens at a place leads its requests on.
  const selectors = new Map<InstanceKey, Selecting[]>();
  for (const [instance, shapes] of instances) {
    for (const shape of shapes) {
      for (const place of hostportsOf(shape)) places.set(place, (places.get(place) ?? new Set()).add(instance));
      const selector = shape.kind.traffic?.selects?.(shape.spec);
      if (selector !== undefined && shape.parent !== undefined) add(selectors, shape.parent, { instance, selector });
    }
  }
  // A path that nobody asks for but the parking of a match is no probe: it is known to nobody while it lasts.
  const temporaryPath = temporaryPaths(nodes);
  const touching = byLife(nodes);
  const tracked = new Map<string, TrackedClass>();
  for (const place of places.keys()) {
    const answering = steady.has(place) ? [place] : answeringFor(place).filter((one) => places.has(one));
    const listening = new Set(answering.flatMap((one) => [...(places.get(one) ?? [])]));
    const inside = [...listening].flatMap((instance) => selectors.get(instance) ?? []);
    const asked = inside.flatMap(({ selector }) => (selector.host === undefined ? [] : [selector.host]));
    const routed = inside.filter(({ selector }) => !temporaryPath.has(selector.path));
    // What begins so before the path itself: where both are caught alike, the first is kept and shown.
    const paths = new Set(
      routed.flatMap(({ selector }) => (selector.exact ? [selector.path] : [`${selector.path}\0`, selector.path])),
    );
    const catchersOf = byPath(inside);
    for (const host of new Set([place.slice(0, place.lastIndexOf(':')), ...asked])) {
      for (const path of paths) {
        const requestClass = { place, answering, host, path };
        const catching = catchersOf(path).filter(({ selector }) => matchesRequest(selector, requestClass));
        // By life and shape: two that trade matches both catch both paths, each at another time.
        const shapes = catching.map(
          ({ instance, selector }) => `${instance} ${selector.path} ${String(selector.exact)}`,
        );
        const key = [place, ...new Set(shapes)].sort().join('\n');
        if (tracked.has(`${key}\n${host}`)) continue;
        const mine = new Set([...catching.map(({ instance }) => instance), ...listening]);
        const guards = {
          before: accessControlsFor(requestClass, start, mine),
          after: accessControlsFor(requestClass, end, mine),
        };
        tracked.set(`${key}\n${host}`, { requestClass, instances: mine, nodes: touching(mine), ...guards });
      }
    }
  }
  return [...tracked.values()];
}

/** A life that selects, in one of its shapes. */
interface Selecting {
  readonly instance: InstanceKey;
  readonly selector: Selector;
}

/** The selectors whose own path a path is or begins with: few of many. */
function byPath(selectors: readonly Selecting[]): (path: string) => readonly Selecting[] {
  const known = new Map<string, Selecting[]>();
  for (const one of selectors) add(known, one.selector.path, one);
  const lengths = [...new Set(selectors.map(({ selector }) => selector.path.length))];
  return (path) => lengths.flatMap((length) => (length > path.length ? [] : (known.get(path.slice(0, length)) ?? [])));
}

/** The steps that touch one of some lives, in their order. */
function byLife(nodes: readonly PlanNode[]): (instances: ReadonlySet<InstanceKey>) => PlanNode[] {
  const place = new Map(nodes.map((node, index) => [node, index]));
  const own = new Map<InstanceKey, PlanNode[]>();
  for (const node of nodes) add(own, node.effect.instance, node);
  return (instances) =>
    [...instances]
      .flatMap((instance) => own.get(instance) ?? [])
      .sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
}

/** Where matches are parked while others take their places. */
function temporaryPaths(nodes: readonly PlanNode[]): ReadonlySet<string> {
  return new Set(
    nodes.flatMap(({ role, effect, kind }) => {
      if (role !== 'prepare' || effect.type !== 'changes') return [];
      const field = kind.unique.find(({ temporaryValue }) => typeof temporaryValue === 'object')?.field;
      const temporaryPath = field === undefined ? undefined : effect.sets[field];
      return typeof temporaryPath === 'string' ? [temporaryPath] : [];
    }),
  );
}

function add<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
