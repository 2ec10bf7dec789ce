import { expect, test } from 'vitest';
import { backend, hazards, ipRestriction, oauth, type Specs } from '../support.ts';
import { applied, nothing, planIn, type World } from './walk-world.ts';

/** What each plan of a walk says about access, each plan being applied before the next is made. */
function walk(...stacks: readonly Specs[]): readonly (readonly string[])[] {
  let world: World = nothing;
  return stacks.map((manifests) => {
    const plan = planIn(world, manifests);
    world = applied(world, plan);
    return hazards(plan).filter((line) => !line.startsWith('INTERRUPTS_TRAFFIC'));
  });
}

test('a wildcard edge with authentication on a path ends, then another edge serves one of its hosts without it', () => {
  const any: Specs = {
    'HTTPSEdge/any': { hostports: ['*.example.com:443'] },
    'HTTPSEdgeRoute/any:/': backend,
    'HTTPSEdgeRoute/any:/admin': { ...backend, ...oauth },
  };
  const idle: Specs = {
    'HTTPSEdge/shop': { hostports: [] },
    'HTTPSEdgeRoute/shop:/': { ...backend, ...ipRestriction },
  };
  expect(
    walk({ ...any, ...idle }, idle, { ...idle, 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } }),
  ).toEqual([
    [expect.stringContaining('EXPOSES_PUBLICLY HTTPSEdge/any: https://*.example.com/… becomes public')],
    [],
    [
      'OPENS_ACCESS HTTPSEdge/shop: requests to https://shop.example.com/admin… are reachable again without authentication, which they required when last reachable',
    ],
  ]);
});
