import { expect, test } from 'vitest';
import { backend, hazards, ipRestriction, oauth, type Specs } from '../support.ts';
import { applied, nothing, planIn, walk } from './walk-world.ts';

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
      'OPENS_ACCESS HTTPSEdge/shop: requests to https://shop.example.com/admin… are served again, but no longer require authentication',
    ],
  ]);
});

test('a URL that only drift made public, on a hostport that the plan takes back, does not count as protected like the URLs around it', () => {
  const routes: Specs = { 'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth }, 'HTTPSEdgeRoute/shop:/help': backend };
  const shop = (...hostports: string[]): Specs => ({ 'HTTPSEdge/shop': { hostports }, ...routes });
  const first = applied(nothing, planIn(nothing, shop('a.example.com:443')));
  const drifted = { ...first, actual: { ...first.actual, ...shop('*.example.com:443') } };
  const back = applied(drifted, planIn(drifted, shop('a.example.com:443')));
  expect(hazards(planIn(back, shop('a.example.com:443', 'b.example.com:443')))).toEqual([
    'EXPOSES_PUBLICLY HTTPSEdge/shop: https://b.example.com/help… becomes public: anyone can reach it',
  ]);
});
