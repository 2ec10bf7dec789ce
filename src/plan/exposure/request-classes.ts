import type { Selector } from '../../kinds/kind.ts';
import type { Account } from '../../model/actual.ts';
import type { Address } from '../../model/address.ts';
import type { KindSet } from '../../kinds/kind-set.ts';
import type { Decision } from '../decide.ts';
import { existingInstance, type PlanNode, type InstanceKey } from '../order/plan-node.ts';
import { answeringFor } from './wildcards.ts';
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
  readonly probe: RequestClass;
  readonly lives: ReadonlySet<InstanceKey>;
  readonly drafts: readonly PlanNode[];
  readonly before: AccessControls;
  readonly after: AccessControls;
}

/** Edges with their routes that have to do with each other, with the steps that change them. */
export interface RouteGroup {
  readonly drafts: readonly PlanNode[];
  readonly start: RoutingModel;
  readonly watched: readonly TrackedClass[];
}

/** The account as it is, as far as traffic goes: what is ours, and what is not but lives inside ours. */
export function currentRouting(
  decisions: ReadonlyMap<Address, Decision>,
  account: Account,
  kinds: KindSet,
): RoutingModel {
  const world = new Map<InstanceKey, RoutingNode>();
  const lifeOfId = new Map<string, InstanceKey>();
  const things = [...decisions.values()].filter(
    ({ pair }) => pair.actual !== undefined && takesPartInRouting(pair.kind),
  );
  for (const { pair } of things)
    if (pair.actual !== undefined) lifeOfId.set(pair.actual.id, existingInstance(pair.address));
  for (const { pair } of things) {
    const parent = pair.actual?.parent === undefined ? undefined : lifeOfId.get(pair.actual.parent);
    if (pair.actual !== undefined)
      world.set(existingInstance(pair.address), {
        kind: pair.kind,
        spec: pair.actual.spec,
        ...(parent === undefined ? {} : { parent }),
        ...(pair.kind.traffic?.passesThrough?.(pair.actual.computed) === true ? { passesThrough: true } : {}),
      });
  }
  for (const actual of account.foreign) {
    const kind = kinds.named(actual.kind);
    const parent = actual.parent === undefined ? undefined : lifeOfId.get(actual.parent);
    if (kind !== undefined && parent !== undefined && takesPartInRouting(kind))
      world.set(`foreign ${actual.id}`, { kind, spec: actual.spec, parent });
  }
  return world;
}

/** The districts that steps change, each with the probes that tell its guards apart. */
export function routeGroupsOf(world: RoutingModel, drafts: readonly PlanNode[]): RouteGroup[] {
  const moving = inTurn(drafts).filter(({ effect, kind }) => changesRouting(effect, kind));
  const lives = allLives(world, moving);
  const steady = steadyPlaces(world, moving);
  const groups = groupLives(lives, steady);
  const byGroup = new Map<InstanceKey, PlanNode[]>();
  for (const draft of moving) {
    add(byGroup, groups.find(draft.effect.life), draft);
  }
  const members = new Map<InstanceKey, InstanceKey[]>();
  for (const life of lives.keys()) {
    const group = groups.find(life);
    if (byGroup.has(group)) add(members, group, life);
  }
  return [...byGroup].map(([group, own]) => {
    const inside = members.get(group) ?? [];
    const start = new Map(
      inside.flatMap((life): [InstanceKey, RoutingNode][] =>
        world.has(life) ? [[life, world.get(life) as RoutingNode]] : [],
      ),
    );
    return {
      drafts: own,
      start,
      watched: watch(start, own, new Map(inside.map((life) => [life, lives.get(life) ?? []])), steady),
    };
  });
}

/** Steps after all that they wait for: what a step that makes room does is not how things end. */
function inTurn(drafts: readonly PlanNode[]): PlanNode[] {
  const turn = new Set<PlanNode>();
  const begun = new Set<PlanNode>();
  const open: PlanNode[] = [...drafts].reverse();
  for (let draft = open.at(-1); draft !== undefined; draft = open.at(-1)) {
    const earlier = begun.has(draft) ? [] : [...draft.after.keys()].filter((one) => !begun.has(one));
    begun.add(draft);
    if (earlier.length > 0) open.push(...earlier);
    else {
      turn.add(draft);
      open.pop();
    }
  }
  return [...turn];
}

/** Every shape a life takes, from now on through each step. */
function allLives(world: RoutingModel, drafts: readonly PlanNode[]): Map<InstanceKey, RoutingNode[]> {
  const lives = new Map<InstanceKey, RoutingNode[]>([...world].map(([life, thing]) => [life, [thing]]));
  for (const { effect, kind } of drafts) {
    const shapes = lives.get(effect.life) ?? [];
    if (effect.type === 'begins')
      shapes.push({ kind, spec: effect.spec, ...(effect.parent === undefined ? {} : { parent: effect.parent }) });
    const last = shapes.at(-1);
    if (effect.type === 'changes' && last !== undefined)
      shapes.push({ ...last, spec: { ...last.spec, ...effect.sets } });
    lives.set(effect.life, shapes);
  }
  return lives;
}

/** Places at which something listens all along, so that no wildcard ever takes their requests. */
function steadyPlaces(world: RoutingModel, moving: readonly PlanNode[]): ReadonlySet<string> {
  const moved = new Set(
    moving.flatMap(({ effect, kind }) => {
      const listens = kind.traffic?.listens;
      const stays = effect.type === 'changes' && (listens === undefined || !Object.hasOwn(effect.sets, listens));
      return stays ? [] : [effect.life];
    }),
  );
  return new Set([...world].flatMap(([life, thing]) => (moved.has(life) ? [] : hostportsOf(thing))));
}

/** Lives that share a parent, a place, or an address belong together, and those at a wildcard with those whose requests it may take. */
function groupLives(
  lives: ReadonlyMap<InstanceKey, readonly RoutingNode[]>,
  steady: ReadonlySet<string>,
): { find: (life: InstanceKey) => InstanceKey } {
  const above = new Map<InstanceKey, InstanceKey>();
  const find = (life: InstanceKey): InstanceKey => {
    let root = life;
    for (let next = above.get(root); next !== undefined; next = above.get(root)) root = next;
    if (root !== life) above.set(life, root);
    return root;
  };
  const join = (a: InstanceKey, b: InstanceKey): void => {
    const [x, y] = [find(a), find(b)];
    if (x !== y) above.set(x, y);
  };
  const atPlace = new Map<string, InstanceKey>();
  for (const [life, shapes] of lives) {
    for (const shape of shapes) {
      if (shape.parent !== undefined) join(life, shape.parent);
      for (const place of hostportsOf(shape)) {
        const other = atPlace.get(place);
        if (other === undefined) atPlace.set(place, life);
        else join(life, other);
      }
    }
  }
  for (const [place, life] of atPlace) {
    if (steady.has(place)) continue;
    for (const wildcard of answeringFor(place)) join(life, atPlace.get(wildcard) ?? life);
  }
  return { find };
}

/** The probes of a district: every place, host and path that some selector tells apart, once per set of lives, in the shapes in which they may catch it. */
function watch(
  start: RoutingModel,
  drafts: readonly PlanNode[],
  lives: ReadonlyMap<InstanceKey, readonly RoutingNode[]>,
  steady: ReadonlySet<string>,
): TrackedClass[] {
  const end = new Map(start);
  for (const { effect, kind } of drafts) applyStep(end, effect, kind);
  const places = new Map<string, Set<InstanceKey>>();
  // By what they live in: only what listens at a place leads its requests on.
  const selectors = new Map<InstanceKey, Selecting[]>();
  for (const [life, shapes] of lives) {
    for (const shape of shapes) {
      for (const place of hostportsOf(shape)) places.set(place, (places.get(place) ?? new Set()).add(life));
      const selector = shape.kind.traffic?.selects?.(shape.spec);
      if (selector !== undefined && shape.parent !== undefined) add(selectors, shape.parent, { life, selector });
    }
  }
  // A path that nobody asks for but the parking of a match is no probe: it is known to nobody while it lasts.
  const parked = parkedPaths(drafts);
  const touching = byLife(drafts);
  const watched = new Map<string, TrackedClass>();
  for (const place of places.keys()) {
    const answering = steady.has(place) ? [place] : answeringFor(place).filter((one) => places.has(one));
    const listening = new Set(answering.flatMap((one) => [...(places.get(one) ?? [])]));
    const inside = [...listening].flatMap((life) => selectors.get(life) ?? []);
    const asked = inside.flatMap(({ selector }) => (selector.host === undefined ? [] : [selector.host]));
    const told = inside.filter(({ selector }) => !parked.has(selector.path));
    // What begins so before the path itself: where both are caught alike, the first is kept and shown.
    const paths = new Set(
      told.flatMap(({ selector }) => (selector.exact ? [selector.path] : [`${selector.path}\0`, selector.path])),
    );
    const catchersOf = byPath(inside);
    for (const host of new Set([place.slice(0, place.lastIndexOf(':')), ...asked])) {
      for (const path of paths) {
        const probe = { place, answering, host, path };
        const catching = catchersOf(path).filter(({ selector }) => matchesRequest(selector, probe));
        // By life and shape: two that trade matches both catch both paths, each at another time.
        const shapes = catching.map(({ life, selector }) => `${life} ${selector.path} ${String(selector.exact)}`);
        const key = [place, ...new Set(shapes)].sort().join('\n');
        if (watched.has(`${key}\n${host}`)) continue;
        const mine = new Set([...catching.map(({ life }) => life), ...listening]);
        const guards = { before: accessControlsFor(probe, start, mine), after: accessControlsFor(probe, end, mine) };
        watched.set(`${key}\n${host}`, { probe, lives: mine, drafts: touching(mine), ...guards });
      }
    }
  }
  return [...watched.values()];
}

/** A life that selects, in one of its shapes. */
interface Selecting {
  readonly life: InstanceKey;
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
function byLife(drafts: readonly PlanNode[]): (lives: ReadonlySet<InstanceKey>) => PlanNode[] {
  const place = new Map(drafts.map((draft, index) => [draft, index]));
  const own = new Map<InstanceKey, PlanNode[]>();
  for (const draft of drafts) add(own, draft.effect.life, draft);
  return (lives) =>
    [...lives].flatMap((life) => own.get(life) ?? []).sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
}

/** Where matches are parked while others take their places. */
function parkedPaths(drafts: readonly PlanNode[]): ReadonlySet<string> {
  return new Set(
    drafts.flatMap(({ role, effect, kind }) => {
      if (role !== 'ready' || effect.type !== 'changes') return [];
      const field = kind.unique.find(({ parking }) => typeof parking === 'object')?.field;
      const parked = field === undefined ? undefined : effect.sets[field];
      return typeof parked === 'string' ? [parked] : [];
    }),
  );
}

function add<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
