import { describe, expect, test } from 'vitest';
import { ownerOf } from '../../../src/derive/marker.ts';
import { kinds } from '../../../src/kinds/index.ts';
import { unmanagedMatches } from '../../../src/stack/plan/unmanaged-matches.ts';
import { inputOf, type Given } from '../../plan/support.ts';

const shop = { hostports: ['shop.example.com:443'] };
const cart = { 'HTTPSEdgeRoute/shop:/cart': {} };

/** What the manifests describe and an account has already, a line each. */
function matched(given: Given, releasedBy?: string) {
  const { desired, account } = inputOf(given);
  const { matches, ambiguous } = unmanagedMatches(desired.resources, account, kinds, releasedBy);
  return {
    matches: matches.map(({ desired: { address }, actual, by }) => `${address} is ${actual.id} by ${by.value}`),
    ambiguous: ambiguous.map(({ address, ids }) => `${address}: ${ids.join(', ')}`),
  };
}

describe('a resource that no stack manages', () => {
  test('is matched by a value that only one may have, in whatever spelling', () => {
    const foreign = { 'HTTPSEdge/old': { hostports: ['SHOP.example.com:443'] } };
    expect(matched({ wanted: { 'HTTPSEdge/shop': shop }, foreign })).toEqual({
      matches: ['HTTPSEdge/shop is edghts_old by shop.example.com:443'],
      ambiguous: [],
    });
  });

  test('is matched inside the match of its parent', () => {
    const wanted = { ...cart, 'HTTPSEdge/shop': shop };
    const foreign = { 'HTTPSEdge/shop': shop, ...cart };
    expect(matched({ wanted, foreign }).matches).toEqual([
      'HTTPSEdge/shop is edghts_shop by shop.example.com:443',
      'HTTPSEdgeRoute/shop:/cart is edghtsrt_shop-cart by /cart',
    ]);
  });

  test('is matched inside a parent that is managed', () => {
    const wanted = { ...cart, 'HTTPSEdge/shop': shop };
    expect(matched({ wanted, ours: { 'HTTPSEdge/shop': shop }, foreign: cart }).matches).toEqual([
      'HTTPSEdgeRoute/shop:/cart is edghtsrt_shop-cart by /cart',
    ]);
  });

  test('is not matched inside another parent, or without one', () => {
    const foreign = { 'HTTPSEdgeRoute/other:/cart': {} };
    const wanted = { ...cart, 'HTTPSEdge/shop': shop };
    expect(matched({ wanted, ours: { 'HTTPSEdge/shop': shop }, foreign }).matches).toEqual([]);
    expect(matched({ wanted: cart, foreign: cart }).matches).toEqual([]);
  });

  test('is not matched to what is managed already, or adopted by its id', () => {
    const given = { wanted: { 'HTTPSEdge/shop': shop }, foreign: { 'HTTPSEdge/old': shop } };
    expect(matched({ ...given, ours: { 'HTTPSEdge/shop': {} } }).matches).toEqual([]);
    expect(matched({ ...given, lifecycle: { 'HTTPSEdge/shop': { adopt: 'edghts_old' } } }).matches).toEqual([]);
  });
});

describe('a resource of another stack', () => {
  const given = {
    wanted: { 'HTTPSEdge/shop': shop },
    foreign: { 'HTTPSEdge/old': shop },
    markers: { 'HTTPSEdge/old': { s: ownerOf({ name: 'office', id: '0ff1ce00' }) } },
  };

  test('is matched only where that stack releases it', () => {
    expect(matched(given).matches).toEqual([]);
    expect(matched(given, 'ffffffff').matches).toEqual([]);
    expect(matched(given, '0ff1ce00').matches).toEqual(['HTTPSEdge/shop is edghts_old by shop.example.com:443']);
  });
});

describe('values that lead to several', () => {
  const two = { hostports: ['a.example.com:443', 'b.example.com:443'] };
  const [a, b] = [{ hostports: ['a.example.com:443'] }, { hostports: ['b.example.com:443'] }];

  test('match none of them', () => {
    expect(matched({ wanted: { 'HTTPSEdge/shop': two }, foreign: { 'HTTPSEdge/a': a, 'HTTPSEdge/b': b } })).toEqual({
      matches: [],
      ambiguous: ['HTTPSEdge/shop: edghts_a, edghts_b'],
    });
  });

  test('match one once', () => {
    expect(matched({ wanted: { 'HTTPSEdge/a': a, 'HTTPSEdge/b': b }, foreign: { 'HTTPSEdge/old': two } })).toEqual({
      matches: ['HTTPSEdge/a is edghts_old by a.example.com:443'],
      ambiguous: ['HTTPSEdge/b: edghts_old'],
    });
  });

  test('that lead to the same one twice match it', () => {
    expect(matched({ wanted: { 'HTTPSEdge/a': two }, foreign: { 'HTTPSEdge/old': two } })).toEqual({
      matches: ['HTTPSEdge/a is edghts_old by a.example.com:443'],
      ambiguous: [],
    });
  });
});
