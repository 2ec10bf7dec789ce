/*
 * A small model of the front door: which request reaches a backend, and what it must show to get there.
 * It exists so that order.ts can try a step before it is put in the plan (law 4, rulings 18).
 *
 * A guard is known by its class alone, because a swap within a class is never a gap. What a request must show is
 * a set of classes, kept as bits; a request that reaches no backend has to show everything, `CLOSED`.
 */
import { isEnabled } from '../kinds/checks.ts';
import type { GuardClass, Kind, Selector } from '../kinds/kind.ts';
import type { SpecObject } from '../kinds/value.ts';
import type { Effect, LifeKey } from './draft.ts';

/** What a request must show to reach a backend. */
export type Guards = number;

/** The request reaches no backend. */
export const CLOSED: Guards = -1;

/** The classes of guard, each standing for its bit. */
export const guardClasses: readonly GuardClass[] = [
  'authentication',
  'network',
  'client-certificate',
  'signature',
  'agent',
  'tls',
  'policy',
];

/** One thing that takes part: something that listens, or selects among the requests of what it lives in. */
export interface Thing {
  readonly kind: Kind;
  readonly spec: SpecObject;
  readonly parent?: LifeKey;
}

/** All that takes part, by life. */
export type World = ReadonlyMap<LifeKey, Thing>;

/** A sort of request: where it arrives, the host it asks for, and a path. */
export interface Probe {
  readonly place: string;
  readonly host: string;
  readonly path: string;
}

/** Whether a kind takes part at all. */
export function takesPart(kind: Kind): boolean {
  return kind.traffic !== undefined;
}

/** Whether a step can change which requests reach a backend, or what they must show. */
export function movesTraffic(effect: Effect, { fields, traffic }: Kind): boolean {
  if (traffic === undefined || effect.type !== 'changes') return traffic !== undefined;
  const decisive = new Set([traffic.listens, ...(traffic.selectedBy ?? [])]);
  return Object.keys(effect.sets).some((name) => {
    const field = fields[name];
    return decisive.has(name) || (field?.is === 'group' && (field.guard !== undefined || field.upstream === true));
  });
}

/** The world after a step. Ending a life ends what lives in it. */
export function after(world: World, effect: Effect, kind: Kind): World {
  const next = new Map(world);
  carryOut(next, effect, kind);
  return next;
}

/** Makes a world what it is after a step. */
export function carryOut(world: Map<LifeKey, Thing>, effect: Effect, kind: Kind): void {
  if (effect.type === 'begins') {
    world.set(effect.life, {
      kind,
      spec: effect.spec,
      ...(effect.parent === undefined ? {} : { parent: effect.parent }),
    });
  } else if (effect.type === 'changes') {
    const thing = world.get(effect.life);
    if (thing !== undefined) world.set(effect.life, { ...thing, spec: { ...thing.spec, ...effect.sets } });
  } else {
    // What lives in it stays behind in the map, and catches nothing any more: it takes something that listens.
    world.delete(effect.life);
  }
}

/** What a probe must show, given only the lives that can matter to it. */
export function guardsFor(probe: Probe, world: World, lives: Iterable<LifeKey>): Guards {
  const life = catcherOf(probe, world, lives);
  const route = life === undefined ? undefined : world.get(life);
  if (route === undefined || !leadsSomewhere(route)) return CLOSED;
  const edge = route.parent === undefined ? undefined : world.get(route.parent);
  return ownGuards(route) | (edge === undefined ? 0 : ownGuards(edge));
}

/** The life that catches a probe: the most specific selector of something that listens where it arrives. */
export function catcherOf(probe: Probe, world: World, lives: Iterable<LifeKey>): LifeKey | undefined {
  let best: { readonly selector: Selector; readonly life: LifeKey } | undefined;
  for (const life of lives) {
    const thing = world.get(life);
    const parent = thing?.parent === undefined ? undefined : world.get(thing.parent);
    if (thing === undefined || parent === undefined || !placesOf(parent).includes(probe.place)) continue;
    const selector = thing.kind.traffic?.selects?.(thing.spec);
    if (selector !== undefined && catches(selector, probe) && (best === undefined || beats(selector, best.selector)))
      best = { selector, life };
  }
  return best?.life;
}

/** The places a thing answers at, spelled one way. */
export function placesOf({ kind, spec }: Pick<Thing, 'kind' | 'spec'>): string[] {
  const field = kind.traffic?.listens;
  const places = field === undefined ? undefined : spec[field];
  return Array.isArray(places) ? places.map((place) => String(place).toLowerCase()) : [];
}

/** Whether a selector takes a probe. */
export function catches(selector: Selector, probe: Probe): boolean {
  if (selector.host !== undefined && selector.host !== probe.host) return false;
  return selector.exact ? probe.path === selector.path : probe.path.startsWith(selector.path);
}

/** The classes of guard a thing asks for by itself. */
export function ownGuards({ kind, spec }: Pick<Thing, 'kind' | 'spec'>): Guards {
  let guards = 0;
  for (const [name, field] of Object.entries(kind.fields)) {
    if (field.is === 'group' && field.guard !== undefined && isEnabled(spec[name]))
      guards |= 1 << guardClasses.indexOf(field.guard);
  }
  return guards;
}

/** How many classes of guard, for choosing the most guarded. */
export function countGuards(guards: Guards): number {
  return guards === CLOSED ? Infinity : guardClasses.filter((_, bit) => (guards & (1 << bit)) !== 0).length;
}

/** Law 4 for one probe: nothing is let through now that was held up before and will be held up after. */
export function keepsGuard(now: Guards, before: Guards, after: Guards): boolean {
  return before === 0 || after === 0 || (now & before) === before || (now & after) === after;
}

/** The classes that guarded a probe before and do not after, as names; empty when nothing opens. */
export function opened(before: Guards, after: Guards): GuardClass[] {
  if (after === CLOSED) return [];
  if (before === CLOSED) return [];
  return guardClasses.filter((_, bit) => (before & (1 << bit)) !== 0 && (after & (1 << bit)) === 0);
}

function leadsSomewhere({ kind, spec }: Thing): boolean {
  return Object.entries(kind.fields).some(
    ([name, field]) => field.is === 'group' && field.upstream === true && isEnabled(spec[name]),
  );
}

/** Host before none, exact before prefix, longer before shorter. */
function beats(a: Selector, b: Selector): boolean {
  if ((a.host !== undefined) !== (b.host !== undefined)) return a.host !== undefined;
  if (a.exact !== b.exact) return a.exact;
  return a.path.length > b.path.length;
}
