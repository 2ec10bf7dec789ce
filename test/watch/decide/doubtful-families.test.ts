import { expect, test } from 'vitest';
import { doubtfulFamilies } from '../../../src/watch/decide/last-good.ts';
import { backend, inputOf } from '../../plan/support.ts';

const ours = { 'HTTPSEdge/shop': {}, 'HTTPSEdgeRoute/shop:/': backend, 'HTTPSEdge/office': {} };

test('an edge is in doubt where a route of it has no manifest while manifests have errors: one of these may be its own', () => {
  const wanted = { 'HTTPSEdge/shop': {}, 'HTTPSEdge/office': {} };
  const isDoubtful = doubtfulFamilies(inputOf({ wanted, ours, whole: false }), undefined);
  expect(Object.keys(ours).map(isDoubtful)).toEqual([true, true, false]);
});

test('nothing is in doubt where every resource has a manifest, or where manifests have no errors', () => {
  const isDoubtful = doubtfulFamilies(inputOf({ wanted: ours, ours, whole: false }), undefined);
  expect(Object.keys(ours).map(isDoubtful)).toEqual([false, false, false]);
  expect(Object.keys(ours).map(doubtfulFamilies(inputOf({ ours }), undefined))).toEqual([false, false, false]);
});
