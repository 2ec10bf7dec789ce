import { answeringFor } from '../../model/wildcards.ts';
import type { InstanceKey, Movement } from '../order/plan-node.ts';
import { changesRouting, hostportsOf, type RoutingModel } from './routing-model.ts';

/** Which edges and routes can take each other's requests, now or while steps run, in any order of the steps. */
export interface RoutingPartition {
  /** Hostports that an edge has during the whole apply, so that no wildcard ever takes their requests. */
  readonly steady: () => ReadonlySet<string>;
  /** The instances in the same part as one, itself included. Instances of one part get the same list. */
  readonly together: (instance: InstanceKey) => readonly InstanceKey[];
}

/** The partition of the current routing and the steps. Its parts are computed on first use. */
export function routingPartition(routing: RoutingModel, nodes: readonly Movement[]): RoutingPartition {
  const moving = nodes.filter(changesRouting);
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
  return new Set([...routing].flatMap(([instance, node]) => (moved.has(instance) ? [] : hostportsOf(node))));
}

/** One instance in a union-find forest: members with one root are in one part. */
interface Member {
  readonly instance: InstanceKey;
  /** Whether the instance itself was seen, not only a reference to it. */
  isKnown: boolean;
  up: Member | undefined;
  /** The instances of the part; filled for its root only. */
  readonly all: InstanceKey[];
}

/** Joins instances with their parents, instances that have a hostport in common, and a wildcard hostport with the hostports that it covers. */
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
    const member: Member = { instance, isKnown: false, up: undefined, all: [] };
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
  const all = new Set([...routing.keys(), ...moving.map(({ effect }) => effect.instance)]);
  for (const instance of all) find(memberOf(instance)).all.push(instance);
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
