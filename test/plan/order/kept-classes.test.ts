/* What the order of steps asks of the model of routing again and again is worked out once. */
import { expect, test } from 'vitest';
import { kinds, kindSet } from '../../../src/kinds/index.ts';
import { planStack } from '../../../src/plan/plan.ts';
import { backend, inputOf, type Specs } from '../support.ts';

/** An edge and routes of which each has the path of the one before as a prefix, so that one class can go to any of them. */
function nested(count: number, domain: string): Specs {
  const match = (depth: number): string => `/${'x'.repeat(depth)}`;
  const routes = Array.from({ length: count }, (_, depth): Specs[string] => ({
    match: match(depth),
    ...backend,
    oauth: { provider: { google: { email_domains: [`${domain}${String(depth)}.example.com`] } } },
  }));
  return {
    'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
    ...Object.fromEntries(routes.map((spec, depth) => [`HTTPSEdgeRoute/shop:r${String(depth)}`, spec])),
  };
}

test('each spec that a step leaves is read once, in however many orders steps are tried', () => {
  let read = 0;
  const counted = kindSet(
    kinds.all.map((kind) => {
      const { traffic } = kind;
      if (traffic?.selects === undefined) return kind;
      const { selects } = traffic;
      return { ...kind, traffic: { ...traffic, selects: (spec) => ((read += 1), selects(spec)) } };
    }),
  );
  const routes = 8;
  const [ours, wanted] = [nested(routes, 'a'), nested(routes, 'b')];
  // Two routes trade their matches, so that the order of all of them matters.
  const traded = {
    ...wanted,
    'HTTPSEdgeRoute/shop:r1': { ...wanted['HTTPSEdgeRoute/shop:r1'], match: '/xx' },
    'HTTPSEdgeRoute/shop:r2': { ...wanted['HTTPSEdgeRoute/shop:r2'], match: '/x' },
  };
  const plan = planStack({ ...inputOf({ ours, wanted: traded }), kinds: counted });
  expect(plan.steps.length).toBeGreaterThan(routes);
  expect(read).toBeLessThan(5 * plan.steps.length);
});
