import { expect, test } from 'vitest';
import { backend, ipRestriction, oauth, type Specs } from '../support.ts';
import { walk } from './walk-world.ts';

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
