import { answeringFor } from '../../model/wildcards.ts';
import type { InstanceKey, Movement } from '../order/plan-node.ts';
import { changesRouting, hostportsOf, type RoutingModel } from './routing-model.ts';

/** Which edges and routes have to do with each other, now or while steps are carried out, in whatever order. */
export interface RoutingPartition {
  /** Places at which something listens all along, so that no wildcard ever takes their requests. */
  readonly steady: () => ReadonlySet<string>;
  /** The instances that one belongs together with, itself included: the same list for each of them. */
  readonly together: (instance: InstanceKey) => readonly InstanceKey[];
}

/** The partition that follows from what is there and from the steps. Only found where somebody asks for it. */
export function routingPartition(routing: RoutingModel, nodes: readonly Movement[]): RoutingPartition {
  const moving = nodes.filter(({ effect, kind }) => changesRouting(effect, kind));
  let steady: ReadonlySet<string> | undefined;
  let members: ReadonlyMap<InstanceKey, Member> | undefined;
  const partition: RoutingPartition = {
    steady: () => (steady ??= steadyPlaces(routing, moving)),
    together: (instance) => {
      members ??= joined(routing, moving, partition.steady());
      const member = members.get(instance);
      return member === undefined ? [] : find(member).all;
    },
  };
  return partition;
}

function steadyPlaces(routing: RoutingModel, moving: readonly Movement[]): ReadonlySet<string> {
  if (routing.size === 0) return new Set();
  const moved = new Set(
    moving.flatMap(({ effect, kind }) => {
      const listens = kind.traffic?.listens;
      const stays = effect.type === 'changes' && (listens === undefined || !Object.hasOwn(effect.sets, listens));
      return stays ? [] : [effect.instance];
    }),
  );
  return new Set([...routing].flatMap(([instance, thing]) => (moved.has(instance) ? [] : hostportsOf(thing))));
}

/** One instance, and what it is known to belong together with. */
interface Member {
  readonly instance: InstanceKey;
  /** Whether anything is known of it but its name. */
  isKnown: boolean;
  isCollected: boolean;
  up: Member | undefined;
  /** Of the one that stands for all. */
  readonly all: InstanceKey[];
}

/** Instances that share a parent, a place, or an address belong together, and those at a wildcard with those whose requests it may take. */
function joined(
  routing: RoutingModel,
  moving: readonly Movement[],
  steady: ReadonlySet<string>,
): ReadonlyMap<InstanceKey, Member> {
  const members = new Map<InstanceKey, Member>();
  const atPlace = new Map<string, Member>();
  const memberOf = (instance: InstanceKey): Member => {
    const known = members.get(instance);
    if (known !== undefined) return known;
    const member: Member = { instance, isKnown: false, isCollected: false, up: undefined, all: [] };
    members.set(instance, member);
    return member;
  };
  const listens = (member: Member, places: readonly string[]): void => {
    for (const place of places) {
      const other = atPlace.get(place);
      if (other === undefined) atPlace.set(place, member);
      else join(member, other);
    }
  };
  const begins = (instance: InstanceKey, parent: InstanceKey | undefined, places: readonly string[]): void => {
    const member = memberOf(instance);
    member.isKnown = true;
    if (parent !== undefined) join(member, memberOf(parent));
    listens(member, places);
  };
  for (const [instance, node] of routing) begins(instance, node.parent, hostportsOf(node));
  for (const { effect, kind } of moving) {
    const member = memberOf(effect.instance);
    if (effect.type === 'begins') begins(effect.instance, effect.parent, hostportsOf({ kind, spec: effect.spec }));
    else if (effect.type === 'changes' && member.isKnown) listens(member, hostportsOf({ kind, spec: effect.sets }));
  }
  const hasWildcards = [...atPlace.keys()].some((place) => place.startsWith('*'));
  for (const [place, member] of hasWildcards ? atPlace : [])
    if (!steady.has(place)) for (const wildcard of answeringFor(place)) join(member, atPlace.get(wildcard) ?? member);
  for (const instance of routing.keys()) collect(memberOf(instance));
  for (const { effect } of moving) collect(memberOf(effect.instance));
  return members;
}

function find(member: Member): Member {
  let root = member;
  while (root.up !== undefined) root = root.up;
  if (root !== member) member.up = root;
  return root;
}

function join(one: Member, other: Member): void {
  const [a, b] = [find(one), find(other)];
  if (a !== b) a.up = b;
}

function collect(member: Member): void {
  if (!member.isCollected) find(member).all.push(member.instance);
  member.isCollected = true;
}
