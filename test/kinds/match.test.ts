import { expect, test } from 'vitest';
import { matchForm, selectorOf } from '../../src/kinds/https-edge-route/match.ts';

test.each(['/', '/cart', '/a?b=%20', 'shop.example.com', '*.example.com/cart', 'shop.example.com:8443/'])(
  'a match may be %s',
  (match) => {
    expect(matchForm.test(match)).toBeUndefined();
  },
);

test.each(['', 'https://shop.example.com/', '/a b', 'shop..example.com', '/a\n'])('a match may not be %j', (match) => {
  expect(matchForm.test(match)).toBe('must be `/path`, `host` or `host/path`');
});

test.each([
  [
    { match: '/cart', match_type: 'exact_path' },
    { host: undefined, path: '/cart', exact: true },
  ],
  [
    { match: '/cart', match_type: 'path_prefix' },
    { host: undefined, path: '/cart', exact: false },
  ],
  [
    { match: 'Shop.example.com/Cart', match_type: 'exact_path' },
    { host: 'shop.example.com', path: '/Cart', exact: true },
  ],
  [
    { match: 'shop.example.com', match_type: 'exact_path' },
    { host: 'shop.example.com', path: '/', exact: false },
  ],
  [{}, { host: undefined, path: '/', exact: false }],
])('a route with %j takes %j', (spec, selector) => {
  expect(selectorOf(spec)).toEqual(selector);
});
