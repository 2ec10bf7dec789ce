import { expect, test } from 'vitest';
import type { SpecObject } from '../../../src/kinds/value.ts';
import { backend, hazardsOf, oauth, planOf, type Specs } from '../support.ts';

const restricted = { ...backend, ...oauth };

/** Pairs of restricted routes, each with the path of the first and the second. */
function pairs(...all: readonly (readonly [one: string, other: string])[]): Specs {
  const routes = all.flatMap(([one, other], pair): [string, SpecObject][] => [
    [`HTTPSEdgeRoute/shop:one-${pair}`, { match: one, ...restricted }],
    [`HTTPSEdgeRoute/shop:other-${pair}`, { match: other, ...restricted }],
  ]);
  return Object.fromEntries(routes);
}

test('a route that is closed for one trade of matches is closed during the next as well, although a trade over an unmanaged route stays open', () => {
  const staying = {
    'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
    'HTTPSEdgeRoute/shop:open': { match: '/', ...backend },
  };
  const plan = planOf({
    ours: { ...staying, ...pairs(['/a', '/b'], ['/c', '/d'], ['/foreign/a', '/foreign/b']) },
    wanted: { ...staying, ...pairs(['/b', '/a'], ['/d', '/c'], ['/foreign/b', '/foreign/a']) },
    foreign: { 'HTTPSEdgeRoute/shop:/foreign': backend },
  });
  expect(hazardsOf(plan, 'OPENS_ACCESS')).toEqual([
    expect.stringMatching(/^OPENS_ACCESS \(temporary\) HTTPSEdgeRoute\/shop:one-2: .*\/foreign\/a… temporarily/),
    expect.stringMatching(/^OPENS_ACCESS \(temporary\) HTTPSEdgeRoute\/shop:other-2: .*\/foreign\/b… temporarily/),
  ]);
});
