import { expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import type { Kind } from '../../../src/kinds/kind.ts';
import { existingInstance, type InstanceKey } from '../../../src/plan/order/plan-node.ts';
import { receivingRoutes } from '../../../src/plan/routing/receiving-routes.ts';
import type { RoutingNode } from '../../../src/plan/routing/routing-model.ts';

const [edgeKind, routeKind] = ['HTTPSEdge', 'HTTPSEdgeRoute'].map((name) => kinds.named(name) as Kind) as [Kind, Kind];
const edge = existingInstance('HTTPSEdge/shop');
const route = (match: string): InstanceKey => existingInstance(`HTTPSEdgeRoute/shop:${match}`);

/** The routing of one edge that counts how often a node is looked up. */
class Counted extends Map<InstanceKey, RoutingNode> {
  lookups = 0;

  constructor(hostport: string, matches: readonly string[]) {
    super();
    this.set(edge, { kind: edgeKind, spec: { hostports: [hostport] } });
    for (const match of matches)
      this.set(route(match), {
        kind: routeKind,
        spec: { match, match_type: 'path_prefix', backend: { backend_id: 'bkdhr_a' } },
        parent: edge,
      });
  }

  override get(instance: InstanceKey): RoutingNode | undefined {
    this.lookups += 1;
    return super.get(instance);
  }
}

test.each([
  ['*.example.com:443', ['a.example.com/', 'b.example.com/', '/'], ['a.example.com/', 'b.example.com/', '/']],
  // A request may name any host wherever it arrives.
  ['shop.example.com:443', ['other.example.org/', '/'], ['other.example.org/', '/']],
  ['shop.example.com:443', ['shop.example.com/', '/', '/x'], ['shop.example.com/', '/', '/x']],
  ['shop.example.com:443', ['shop.example.com/', 'shop.example.com', '/'], ['shop.example.com/', '/']],
])('of an edge at %s with %j these receive requests: %j', (hostport, matches, expected) => {
  const receives = receivingRoutes(new Counted(hostport, matches));
  expect(matches.filter((match) => receives(route(match)))).toEqual(expected);
});

test('each host of an edge is looked at for the routes that name it, not for all', () => {
  const lookups = [50, 100].map((count) => {
    const routing = new Counted(
      '*.example.com:443',
      Array.from({ length: count }, (_, n) => `h${String(n)}.example.com/`),
    );
    expect(receivingRoutes(routing)(route('h7.example.com/'))).toBe(true);
    return routing.lookups;
  });
  // Twice as many routes: each of twice as many is compared with twice as many, and not for twice as many hosts.
  expect(lookups[1]! / lookups[0]!).toBeLessThan(5);
});
