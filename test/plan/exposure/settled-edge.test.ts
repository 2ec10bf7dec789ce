/* Where a plan changes nothing but what requests must satisfy, the steps of each route and its edge alone lead to what following each class finds. */
import { expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import type { SpecObject } from '../../../src/kinds/value.ts';
import { existingInstance, type InstanceKey, type Movement } from '../../../src/plan/order/plan-node.ts';
import { accessOf, controlsAsked, isReachable } from '../../../src/plan/exposure/access.ts';
import {
  reachabilityTraces,
  type ReachabilityStep,
  type ReachabilityTrace,
} from '../../../src/plan/exposure/reachability.ts';
import { reviewAccess } from '../../../src/plan/exposure/access-hazards.ts';
import { backendsBefore } from '../../../src/plan/exposure/backends/backends-before.ts';
import { changesAtOnce, settledEdgeOf } from '../../../src/plan/exposure/settled-edge.ts';
import { settledEdgeTraces } from '../../../src/plan/exposure/settled-edge-traces.ts';
import { routeGroupsOf } from '../../../src/plan/routing/request-classes.ts';
import {
  keepsAccessControl,
  type RoutingModel,
  routingAfter,
  type RoutingNode,
} from '../../../src/plan/routing/routing-model.ts';
import { backend, digest, ipRestriction, oauth } from '../support.ts';
import { drawFrom, type Draw } from './walks.ts';

const places = [
  ['shop.example.com:443'],
  ['shop.example.com:443', 'SHOP.example.com:443', 'shop.example.com:8443'],
  ['*.example.com:443', 'shop.example.com:443'],
  ['*.example.com:443'],
];
const matches = ['/', '/a', '/a/b', '/ab', '/c'];
const edge = existingInstance('HTTPSEdge/shop');

/** What may become of the modules of a route, in one step. */
const changes: readonly SpecObject[] = [
  oauth,
  { oauth: null },
  { oauth: { ...oauth.oauth, options_passthrough: true } },
  ipRestriction,
  { ip_restriction: null },
  { oauth: null, ...ipRestriction },
  { compression: {} },
];

/** Steps that no route group of a settled edge has. */
const unsettling: readonly SpecObject[] = [
  { backend: null },
  { traffic_policy: { inbound: [{ actions: [] }] } },
  { match: '/d' },
];

interface Drawn {
  readonly start: ReadonlyMap<InstanceKey, RoutingNode>;
  readonly steps: readonly Movement[];
  readonly isSettled: boolean;
}

function drawn(draw: Draw): Drawn {
  const start = new Map<InstanceKey, RoutingNode>();
  const node = (name: string, spec: SpecObject, parent?: InstanceKey): RoutingNode => {
    const kind = kinds.named(name);
    if (kind === undefined) throw new Error(name);
    return { kind, spec, ...(parent === undefined ? {} : { parent }) };
  };
  start.set(
    edge,
    node('HTTPSEdge', { hostports: draw.one(places), ...(draw.chance(0.2) ? { mutual_tls: null } : {}) }),
  );
  let isSettled = true;
  for (const match of matches.filter(() => draw.chance(0.6))) {
    const isByHost = draw.chance(0.03);
    if (isByHost) isSettled = false;
    for (const match_type of draw.chance(0.1)
      ? ['path_prefix', 'exact_path']
      : [draw.one(['path_prefix', 'exact_path'])]) {
      const spec = {
        match: isByHost ? `shop.example.com${match}` : match,
        match_type,
        ...(draw.chance(0.85) ? backend : {}),
        ...draw.one([{}, oauth, ipRestriction, { ...oauth, ...ipRestriction }]),
      };
      start.set(existingInstance(`HTTPSEdgeRoute/shop:${match_type}${match}`), node('HTTPSEdgeRoute', spec, edge));
    }
  }
  const steps = Array.from({ length: 1 + draw.below(4) }, (): Movement => {
    const instance = draw.one([...start.keys()]);
    const { kind } = start.get(instance) ?? node('HTTPSEdge', {});
    const isOther = instance !== edge && draw.chance(0.05);
    const sets =
      instance === edge
        ? draw.one([{ mutual_tls: { certificate_authority_ids: ['ca_a'] } }, { mutual_tls: null }])
        : draw.one(isOther ? unsettling : changes);
    if (isOther) isSettled = false;
    return {
      address: instance,
      kind,
      role: draw.one(['update', 'put', 'unset']),
      effect: { type: 'changes', instance, sets },
    };
  });
  return { start, steps, isSettled };
}

type Short = readonly [reach: string, matchedBy: unknown, route: unknown, edge: unknown];

function inShort({ reach, matchedBy, route, edge: own }: ReachabilityStep): Short {
  return [reach, matchedBy, route?.spec, own?.spec];
}

/** What becomes of the class, without moments that change nothing for it. */
function shown({ tracked, first, last, moments }: ReachabilityTrace): object {
  const kept = moments.filter((moment, index) => {
    const before = moments[index - 1];
    return before === undefined || moment.route !== before.route || moment.edge !== before.edge;
  });
  return {
    asked: tracked.requestClass,
    first: inShort(first),
    last: inShort(last),
    moments: kept.map((moment) => [...inShort(moment), moment.step]),
  };
}

test('random edges of which access controls change', () => {
  const counted = { settled: 0, atOnce: 0, otherwise: 0, followed: 0 };
  for (let seed = 1; seed <= 600; seed++) {
    const { start, steps, isSettled } = drawn(drawFrom(seed));
    const [group, second] = routeGroupsOf(start, steps);
    if (group === undefined) continue;
    expect(second).toBe(undefined);
    const settled = settledEdgeOf(group);
    const what = JSON.stringify([[...start.values()].map(({ spec }) => spec), steps.map(({ effect }) => effect)]);
    if (!isSettled) continue;
    expect(settled === undefined, what).toBe(false);
    if (settled === undefined) continue;
    const all = reachabilityTraces(group, group.nodes);
    const traces = settledEdgeTraces(settled);
    const asked = new Set(traces.map(({ tracked: { requestClass } }) => `${requestClass.place} ${requestClass.path}`));
    const isFollowed = ({ tracked: { requestClass } }: ReachabilityTrace): boolean =>
      asked.has(`${requestClass.place} ${requestClass.path}`);
    expect(traces.map(shown), what).toEqual(all.filter(isFollowed).map(shown));
    for (const trace of all) {
      const { first, last, moments } = trace;
      // The same route takes them all along, so nothing is interrupted.
      expect(
        moments.every(({ reach, matchedBy }) => reach === first.reach && matchedBy === first.matchedBy),
        what,
      ).toBe(true);
      if (!isFollowed(trace))
        expect([isReachable(first), first.route === last.route, first.edge === last.edge], what).toEqual([
          true,
          true,
          true,
        ]);
    }
    const worlds = Array.from({ length: 2 ** group.nodes.length }, (_, subset) => {
      const taken = group.nodes.filter((_, bit) => (subset & (1 << bit)) !== 0);
      return routingAfter(group.start, taken);
    });
    const isKept = group.tracked.every(({ requestClass, instances }) => {
      const controlsIn = (world: RoutingModel) => controlsAsked(accessOf(requestClass, world, instances));
      const [before, after] = [controlsIn(group.start), controlsIn(worlds.at(-1) ?? group.start)];
      return worlds.every((world) => keepsAccessControl(controlsIn(world), before, after));
    });
    if (changesAtOnce(settled)) expect(isKept, what).toBe(true);
    counted.settled++;
    counted.atOnce += Number(changesAtOnce(settled) && group.nodes.length > 1);
    counted.otherwise += Number(!isKept);
    counted.followed += traces.length;
  }
  expect(counted.settled).toBeGreaterThan(300);
  expect(counted.atOnce).toBeGreaterThan(40);
  expect(counted.otherwise).toBeGreaterThan(10);
  expect(counted.followed).toBeGreaterThan(500);
});

test('a group with anything else that decides where requests go is no settled edge', () => {
  const own = kinds.named('HTTPSEdge');
  const route = kinds.named('HTTPSEdgeRoute');
  if (own === undefined || route === undefined) throw new Error('no kinds');
  const shop: RoutingNode = { kind: own, spec: { hostports: ['shop.example.com:443'] } };
  const [root, admin] = [existingInstance('HTTPSEdgeRoute/shop:/'), existingInstance('HTTPSEdgeRoute/shop:/admin')];
  const at = (match: string, more: SpecObject = {}): RoutingNode => ({
    kind: route,
    spec: { match, match_type: 'path_prefix', ...backend, ...more },
    parent: edge,
  });
  const start = new Map<InstanceKey, RoutingNode>([
    [edge, shop],
    [root, at('/')],
    [admin, at('/admin')],
  ]);
  const step = (sets: SpecObject, more: Partial<Movement> = {}): Movement => ({
    address: 'HTTPSEdgeRoute/shop:/admin',
    kind: route,
    role: 'update',
    effect: { type: 'changes', instance: admin, sets },
    ...more,
  });
  const isSettled = (
    nodes: readonly Movement[],
    more: readonly (readonly [InstanceKey, RoutingNode])[] = [],
  ): boolean => settledEdgeOf({ start: new Map([...start, ...more]), nodes }) !== undefined;
  expect(isSettled([step(oauth)])).toBe(true);
  for (const sets of unsettling) expect(isSettled([step(sets)]), JSON.stringify(sets)).toBe(false);
  for (const role of ['prepare', 'drift'] as const) expect(isSettled([step(oauth, { role })])).toBe(false);
  expect(isSettled([step(oauth), step({}, { effect: { type: 'ends', instance: root } })])).toBe(false);
  expect(isSettled([step({}, { effect: { type: 'changes', instance: edge, sets: {}, passesThrough: true } })])).toBe(
    false,
  );
  expect(isSettled([step(oauth)], [[edge, { ...shop, passesThrough: true }]])).toBe(false);
  expect(isSettled([step(oauth)], [[existingInstance('HTTPSEdge/other'), shop]])).toBe(false);
  expect(isSettled([step(oauth)], [[root, at('/admin')]])).toBe(false);
  expect(isSettled([step(oauth)], [[root, at('shop.example.com/')]])).toBe(false);
  expect(isSettled([step(oauth)], [[root, { ...at('/'), parent: existingInstance('HTTPSEdge/gone') }]])).toBe(false);
});

test('an edge that the plan releases does not have the classes of others followed', () => {
  const { start, steps } = drawn(drawFrom(2));
  const [group] = routeGroupsOf(start, steps);
  if (group === undefined || settledEdgeOf(group) === undefined) throw new Error('drawn otherwise');
  const followed = (released: InstanceKey): boolean => {
    let isFollowed = false;
    const { nodes } = group;
    const asked = {
      nodes,
      start: group.start,
      get tracked() {
        isFollowed = true;
        return group.tracked;
      },
    };
    reviewAccess([asked], {
      memory: { patterns: [], of: () => undefined },
      backends: backendsBefore(start, start, { state: undefined, kinds, digest }),
      unknown: new Set(),
      released: new Set([released]),
      meant: undefined,
      digest,
      named: (text) => text,
      exchanged: new Map(),
    });
    return isFollowed;
  };
  expect([followed(existingInstance('HTTPSEdge/other')), followed(edge)]).toEqual([false, true]);
});
