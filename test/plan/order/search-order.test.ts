/* How many moments are asked about, by a count of the looks at the instances of a class: never by time. */
import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import type { Kind } from '../../../src/kinds/kind.ts';
import { keptGroup, type KeptGroup } from '../../../src/plan/order/kept-classes.ts';
import { existingInstance, newInstance, type InstanceKey, type PlanNode } from '../../../src/plan/order/plan-node.ts';
import { searchOrder, waitsWithin } from '../../../src/plan/order/search-order.ts';
import { routeGroupsOf } from '../../../src/plan/routing/request-classes.ts';
import type { RoutingNode } from '../../../src/plan/routing/routing-model.ts';
import { backend, oauth } from '../support.ts';

const [edgeKind, routeKind] = ['HTTPSEdge', 'HTTPSEdgeRoute'].map((name) => kinds.named(name) as Kind) as [Kind, Kind];
const open = { match: '/', match_type: 'path_prefix', ...backend };
const signedIn = { ...open, ...oauth };

/** Counts how often it is gone through: once for each moment at which a class is asked about. */
class Counted extends Set<InstanceKey> {
  static looks = 0;

  override [Symbol.iterator](): SetIterator<InstanceKey> {
    Counted.looks += 1;
    return super[Symbol.iterator]();
  }
}

/** Edges with a sign-in that are replaced, while an open wildcard edge takes their requests. */
function replacedBesideWildcard(count: number): KeptGroup {
  const [wildcard, root] = [existingInstance('HTTPSEdge/all'), existingInstance('HTTPSEdgeRoute/all:/')];
  const routing = new Map<InstanceKey, RoutingNode>([
    [wildcard, { kind: edgeKind, spec: { hostports: ['*.example.com:443'] } }],
    [root, { kind: routeKind, spec: open, parent: wildcard }],
  ]);
  const steps: PlanNode[] = [];
  const step = (kind: Kind, address: string, effect: PlanNode['effect'], after: readonly PlanNode[] = []): PlanNode => {
    const role = effect.type === 'ends' ? 'delete' : 'create';
    const request = { method: 'POST', path: [], kind: kind.name } as unknown as PlanNode['request'];
    const waits = new Map(after.map((one) => [one, 'it must come first']));
    const made = { id: `${address} ${role}`, address, kind, role, effect, request, after: waits } as const;
    steps.push(made);
    return made;
  };
  for (let index = 0; index < count; index++) {
    const [edge, route] = [`HTTPSEdge/e${String(index)}`, `HTTPSEdgeRoute/e${String(index)}:/`];
    const spec = { hostports: [`e${String(index)}.example.com:443`] };
    routing.set(existingInstance(edge), { kind: edgeKind, spec });
    routing.set(existingInstance(route), { kind: routeKind, spec: signedIn, parent: existingInstance(edge) });
    const ends = step(edgeKind, edge, { type: 'ends', instance: existingInstance(edge) });
    const begins = step(edgeKind, edge, { type: 'begins', instance: newInstance(edge), spec }, [ends]);
    const inside = { parent: newInstance(edge), spec: signedIn };
    step(routeKind, route, { type: 'begins', instance: newInstance(route), ...inside }, [begins]);
  }
  const [group] = routeGroupsOf(routing, steps);
  if (group === undefined) throw new Error('no group');
  const kept = keptGroup(group, [], () => true);
  return { ...kept, tracked: kept.tracked.map((one) => ({ ...one, instances: new Counted(one.instances) })) };
}

/** The gaps of the order that is found, and how many moments were asked about for it. */
function searched(count: number): { readonly gaps: number; readonly looks: number } {
  const group = replacedBesideWildcard(count);
  const tight = group.tracked.filter(({ nodes }) => nodes.length > 1);
  Counted.looks = 0;
  const { gaps, order } = searchOrder(group, tight);
  expect(order).toHaveLength(3 * count);
  return { gaps: gaps.length, looks: Counted.looks };
}

describe('edges of which each has a gap that no order avoids', () => {
  test('are searched apart, so that twice as many ask about twice as many moments', () => {
    const [few, many] = [searched(20), searched(40)];
    expect([few.gaps, many.gaps]).toEqual([20, 40]);
    expect(many.looks).toBe(2 * few.looks);
    expect(few.looks).toBeLessThan(20 * 20);
  });
});

test('a gap is at the moment at which its step is done, also in an order of several parts', () => {
  const group = replacedBesideWildcard(3);
  const { gaps, order } = searchOrder(
    group,
    group.tracked.filter(({ nodes }) => nodes.length > 1),
  );
  expect(gaps.map(({ done }) => order[done - 1]?.id)).toEqual(gaps.map(({ step }) => step.id));
});

test('a step waits for another also by way of a step that is not among them', () => {
  const { nodes } = replacedBesideWildcard(1);
  const [ends, between, route] = nodes;
  if (ends === undefined || between === undefined || route === undefined) throw new Error('no steps');
  expect(waitsWithin([ends, route])).toEqual(
    new Map([
      [ends, []],
      [route, [ends]],
    ]),
  );
  // What it waits for by way of one that is among them comes before that one anyway.
  expect(waitsWithin([ends, between, route]).get(route)).toEqual([between]);
});

test('steps of two edges that wait for each other are in one order, each after those that it waits for', () => {
  const group = replacedBesideWildcard(2);
  const [ends, , route, otherEnds, otherBegins] = group.nodes;
  if (ends === undefined || route === undefined || otherEnds === undefined) throw new Error('no steps');
  ends.after.set(otherEnds, 'it must come first');
  otherBegins?.after.set(route, 'it must come first');
  const tight = group.tracked.filter(({ nodes }) => nodes.length > 1);
  const { order } = searchOrder(group, tight);
  const early = order.filter((step, at) => [...step.after.keys()].some((one) => order.indexOf(one) > at));
  expect(early.map(({ id }) => id)).toEqual([]);
});
