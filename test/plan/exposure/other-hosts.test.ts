/*
 * A client may send any Host header, wherever it connects: requests that name a host which no match means reach the routes
 * without a host, also where a match with the host of the edge has priority.
 */
import { expect, test } from 'vitest';
import type { SpecObject } from '../../../src/kinds/value.ts';
import { backend, oauth, type Specs } from '../support.ts';
import { walk } from './walk-world.ts';

const shop = (modules: SpecObject, match = '/'): Specs => ({
  'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
  [`HTTPSEdgeRoute/shop:${match}`]: { ...backend, ...modules },
});
const edge: Specs = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };

test('an open route is public although a match with the host of the edge has priority', () => {
  const guarded = { ...shop(oauth, 'shop.example.com/'), ...shop(oauth) };
  const elsewhere = 'https://*/… at shop.example.com:443';
  const becomesPublic = `EXPOSES_PUBLICLY HTTPSEdge/shop: ${elsewhere} becomes public: anyone can reach it`;
  expect(walk({ ...guarded, ...shop({}) })).toEqual([[becomesPublic]]);
  expect(walk(guarded, { ...guarded, ...shop({}) }).at(-1)).toEqual([
    becomesPublic,
    `OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to ${elsewhere} are no longer subject to authentication`,
  ]);
  expect(walk(shop(oauth, 'shop.example.com/'))).toEqual([[]]);
});

test('requests with another Host header come back with less, because a match names their host or that of the edge', () => {
  const network = { ip_restriction: { ip_policy_ids: ['ipp_office'] } };
  const again = (url: string): string => expect.stringContaining(`requests to ${url} are served again`) as string;
  const guarded = { ...shop(oauth, 'shop.example.com/'), ...shop(network) };
  expect(walk(shop(oauth), edge, guarded).at(-1)).toEqual([again('https://*/… at shop.example.com:443')]);
  expect(walk(guarded, edge, guarded).at(-1)).toEqual([]);
  const named = { ...shop(oauth), ...shop(network, 'www.example.com/') };
  expect(walk(shop(oauth), edge, named).at(-1)).toEqual([again('https://www.example.com/… at shop.example.com:443')]);
  expect(walk(named, edge, named).at(-1)).toEqual([]);
  const signed = { webhook_verification: { provider: 'github', secret: 's3cret-of-github' } };
  const closed = { ...shop({ backend: null }), ...shop(network, 'www.example.com/') };
  expect(walk(closed, edge, shop({ ...signed, backend: { backend_id: 'bkd_hooks' } })).at(-1)).toEqual([
    again('https://www.example.com/… at shop.example.com:443'),
  ]);
  expect(walk(guarded, edge, { ...guarded, ...shop(oauth, 'www.example.com/') }).at(-1)).toEqual([
    again('https://www.example.com/… at shop.example.com:443'),
  ]);
});

test('requests with another Host header, which a wildcard took, come back with less at an edge of their own', () => {
  const network = { ip_restriction: { ip_policy_ids: ['ipp_office'] } };
  const at = (...hostports: readonly string[]): Specs => ({
    ...shop(network, '*.example.com/'),
    ...shop(oauth),
    'HTTPSEdge/shop': { hostports },
  });
  const own: Specs = {
    'HTTPSEdge/own': { hostports: ['a.example.com:443'] },
    'HTTPSEdgeRoute/own:/': { ...backend, ...network },
  };
  expect(walk(at('*.example.com:443'), at(), { ...at(), ...own }).at(-1)).toEqual([
    'OPENS_ACCESS HTTPSEdgeRoute/own:/: requests to https://*/… at a.example.com:443 are served again, but no longer require authentication',
  ]);
});
