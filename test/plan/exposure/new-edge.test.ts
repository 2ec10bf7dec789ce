/* What follows from the routes of a new edge alone is what following each class of requests through each step finds. */
import { expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import type { ExposureChange } from '../../../src/model/exposure/exposure-change.ts';
import { accessOf, controlsAsked, isPublicAccess, isReachable } from '../../../src/plan/exposure/access.ts';
import { classUrl } from '../../../src/plan/exposure/class-url.ts';
import { exposureChangesOf } from '../../../src/plan/exposure/exposure-changes.ts';
import { needsOrder, newEdgeOf } from '../../../src/plan/exposure/new-edge.ts';
import { newlyPublic } from '../../../src/plan/exposure/newly-public.ts';
import { lostAtStep, reachabilityTraces } from '../../../src/plan/exposure/reachability.ts';
import { routeGroupsOf, type RouteGroup } from '../../../src/plan/routing/request-classes.ts';
import { keepsAccessControl, routingAfter, type RoutingModel } from '../../../src/plan/routing/routing-model.ts';
import { newInstance, type Movement } from '../../../src/plan/order/plan-node.ts';
import { backend, ipRestriction, oauth } from '../support.ts';
import { drawFrom, type Draw } from './walks.ts';

const matches = ['/', '/a', '/a/b', '/ab', '/c', 'shop.example.com/a', 'shop.example.com'];
const places = [
  ['shop.example.com:443'],
  ['shop.example.com:443', 'SHOP.example.com:443', 'shop.example.com:8443'],
  ['*.example.com:443', 'shop.example.com:443'],
  ['*.example.com:443'],
];
const edge = newInstance('HTTPSEdge/shop');

function begins(address: string, spec: object, parent?: typeof edge): Movement {
  const kind = kinds.named(address.split('/')[0] ?? '');
  if (kind === undefined) throw new Error(address);
  const effect = {
    type: 'begins',
    instance: newInstance(address),
    spec: { ...spec },
    ...(parent && { parent }),
  } as const;
  return { address, kind, role: 'create', effect };
}

function movements(draw: Draw): Movement[] {
  const routes = matches
    .filter((match) => draw.chance(match.startsWith('/') ? 0.5 : 0.05))
    .map((match) => {
      const access = draw.one([
        {},
        oauth,
        oauth,
        { ...oauth, ...ipRestriction },
        { oauth: { ...oauth.oauth, options_passthrough: true } },
      ]);
      const spec = {
        match,
        match_type: draw.one(['path_prefix', 'exact_path']),
        ...(draw.chance(0.85) ? backend : {}),
      };
      return begins(`HTTPSEdgeRoute/shop:${match}`, { ...spec, ...access }, edge);
    });
  return [
    begins('HTTPSEdge/shop', { hostports: draw.one(places), ...(draw.chance(0.1) ? ipRestriction : {}) }),
    ...routes,
  ];
}

/** What following each class finds to become public: the URL, the step that makes it so, and the route that takes its requests. */
function publicByClasses(group: RouteGroup): readonly unknown[] {
  return reachabilityTraces(group, group.nodes).flatMap((trace) => {
    const { last, tracked } = trace;
    const method = (['any', 'OPTIONS'] as const).find((one) => isPublicAccess(last, one));
    if (method === undefined) return [];
    const step = lostAtStep(trace, (moment) => !isPublicAccess(moment, method) || moment.reach !== last.reach);
    const url = classUrl(tracked.requestClass);
    return [
      [method === 'any' ? url : `OPTIONS ${url}`, step?.address, last.matchedBy, last.route?.spec, last.edge?.spec],
    ];
  });
}

function selectsByHost(effect: Movement['effect']): boolean {
  return effect.type === 'begins' && typeof effect.spec.match === 'string' && !effect.spec.match.startsWith('/');
}

/** What a plan lists, found by following each class. */
function changesOfClasses(group: RouteGroup): readonly ExposureChange[] {
  const classes = reachabilityTraces(group, group.nodes).map(({ tracked: { requestClass }, first, last }) => ({
    requestClass,
    before: first,
    after: last,
  }));
  return exposureChangesOf(classes, [], (text) => text);
}

test('random new edges', () => {
  const counted = { needsNone: 0, isProtected: 0, isPublic: 0 };
  for (let seed = 1; seed <= 400; seed++) {
    const steps = movements(drawFrom(seed));
    const [group] = routeGroupsOf(new Map(), steps);
    if (group === undefined) throw new Error('no group');
    const added = newEdgeOf(group);
    expect(added === undefined).toBe(steps.some(({ effect }) => selectsByHost(effect)));
    if (added === undefined) continue;
    const worlds = Array.from({ length: 2 ** (steps.length - 1) }, (_, subset) => {
      const taken = steps.filter((_, bit) => bit === 0 || (subset & (1 << (bit - 1))) !== 0);
      return routingAfter(group.start, taken);
    });
    const isKept = group.tracked.every(({ requestClass, instances }) => {
      const controlsIn = (world: RoutingModel) => controlsAsked(accessOf(requestClass, world, instances));
      const [before, after] = [controlsIn(group.start), controlsIn(worlds.at(-1) ?? group.start)];
      return worlds.every((world) => keepsAccessControl(controlsIn(world), before, after));
    });
    const isProtected = group.tracked.every(({ requestClass, instances }) => {
      const access = accessOf(requestClass, worlds.at(-1) ?? new Map(), instances);
      return isReachable(access) && !isPublicAccess(access, 'OPTIONS') && !isPublicAccess(access, 'any');
    });
    const shown = JSON.stringify(steps.map(({ effect }) => effect));
    if (!needsOrder(added)) expect(isKept, shown).toBe(true);
    const isAllProtected = added.routes.every((route) => route.isProtected);
    if (isAllProtected) expect(isProtected, shown).toBe(true);
    const found = newlyPublic(added)?.map(({ url, cause, after }) => {
      return [url, cause?.address, after.matchedBy, after.route?.spec, after.edge?.spec];
    });
    if (found !== undefined) expect(found, shown).toEqual(publicByClasses(group));
    expect(
      exposureChangesOf([], [added], (text) => text),
      shown,
    ).toEqual(changesOfClasses(group));
    counted.needsNone += Number(!needsOrder(added));
    counted.isProtected += Number(isAllProtected);
    counted.isPublic += Number(found !== undefined && found.length > 1);
  }
  expect(counted.needsNone).toBeGreaterThan(50);
  expect(counted.isProtected).toBeGreaterThan(20);
  expect(counted.isPublic).toBeGreaterThan(60);
});

test('an edge that exists, or that changes in several steps, is none', () => {
  const [own, ...routes] = movements(drawFrom(1));
  if (own === undefined) throw new Error('no edge');
  const [there] = routeGroupsOf(
    new Map([[edge, { kind: own.kind, spec: { hostports: ['shop.example.com:443'] } }]]),
    routes,
  );
  expect(there === undefined ? undefined : newEdgeOf(there)).toBe(undefined);
  const change: Movement = {
    ...own,
    role: 'update',
    effect: { type: 'changes', instance: edge, sets: { mutual_tls: null } },
  };
  expect(newEdgeOf({ start: new Map(), nodes: [own, ...routes, change] })).toBe(undefined);
});
