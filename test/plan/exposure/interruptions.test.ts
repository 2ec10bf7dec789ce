import { describe, expect, test } from 'vitest';
import type { ServedEndpoint } from '../../../src/kinds/served-endpoint.ts';
import { backend, hazardsOf, oauth, planOf, to, type Given, type Specs } from '../support.ts';

const edge = (...hosts: string[]) => ({ hostports: hosts.map((host) => `${host}.example.com:443`) });
const shop: Specs = { 'HTTPSEdge/shop': edge('shop'), 'HTTPSEdgeRoute/shop:/': backend };
const cart: Specs = { 'HTTPSEdgeRoute/shop:/cart': backend };

/** What the service shows to be active at edges. */
function active(...places: [host: string, server: string][]): ServedEndpoint[] {
  return places.map(([host, server]) => ({
    id: `ep_${host}`,
    url: `https://${host}.example.com`,
    hostport: `${host}.example.com:443`,
    server,
    metadata: '',
  }));
}

/** Interruptions of a plan, where the service shows what is served. */
function stops(
  given: Given,
  served = active(['shop', 'edghts_shop'], ['api', 'edghts_api'], ['www', 'edghts_shop']),
): string[] {
  return hazardsOf(planOf({ ...given, served }), 'INTERRUPTS_TRAFFIC').map((line) =>
    line.replace('INTERRUPTS_TRAFFIC ', ''),
  );
}

describe('traffic stops for good', () => {
  test.each<[string, Given, string[]]>([
    [
      'when an edge is deleted',
      { ours: { ...shop, ...cart } },
      [
        'HTTPSEdge/shop: https://shop.example.com is no longer served; affected routes: HTTPSEdgeRoute/shop:/ and HTTPSEdgeRoute/shop:/cart',
      ],
    ],
    [
      'when an edge is deleted, for the routes that reached a backend',
      { ours: { ...shop, 'HTTPSEdgeRoute/shop:/cart': {} } },
      ['HTTPSEdge/shop: https://shop.example.com is no longer served; affected routes: HTTPSEdgeRoute/shop:/'],
    ],
    [
      'when an edge without routes is deleted',
      { ours: { 'HTTPSEdge/shop': edge('shop') } },
      ['HTTPSEdge/shop: https://shop.example.com is no longer served'],
    ],
    [
      'when an edge gives up a hostport',
      { ours: { ...shop, 'HTTPSEdge/shop': edge('shop', 'www') }, wanted: shop },
      ['HTTPSEdge/shop: https://www.example.com is no longer served; affected routes: HTTPSEdgeRoute/shop:/'],
    ],
    [
      'when two hostports give way to another',
      {
        ours: { ...shop, 'HTTPSEdge/shop': edge('shop', 'www') },
        wanted: { ...shop, 'HTTPSEdge/shop': edge('store') },
      },
      [
        'HTTPSEdge/shop: https://shop.example.com and https://www.example.com are no longer served; affected routes: HTTPSEdgeRoute/shop:/',
      ],
    ],
    [
      'when a route is deleted that no other stands in for',
      { ours: { 'HTTPSEdge/shop': edge('shop'), ...cart }, wanted: { 'HTTPSEdge/shop': edge('shop') } },
      ['HTTPSEdgeRoute/shop:/cart: requests to https://shop.example.com/cart… no longer reach a backend'],
    ],
    [
      'when a route asks for another path',
      {
        ours: { 'HTTPSEdge/shop': edge('shop'), 'HTTPSEdgeRoute/shop:cart': { ...backend, match: '/cart' } },
        wanted: { 'HTTPSEdge/shop': edge('shop'), 'HTTPSEdgeRoute/shop:cart': { ...backend, match: '/basket' } },
      },
      ['HTTPSEdgeRoute/shop:cart: requests to https://shop.example.com/cart… no longer reach a backend'],
    ],
    [
      'when a route loses its backend',
      { ours: shop, wanted: { ...shop, 'HTTPSEdgeRoute/shop:/': {} } },
      ['HTTPSEdgeRoute/shop:/: requests to https://shop.example.com no longer reach a backend'],
    ],
    [
      'when a new route without a backend takes requests away',
      { ours: shop, wanted: { ...shop, 'HTTPSEdgeRoute/shop:/cart': {} } },
      ['HTTPSEdgeRoute/shop:/cart: requests to https://shop.example.com/cart… no longer reach a backend'],
    ],
    [
      'when the edge that takes a hostport over leads nowhere',
      { ours: shop, wanted: { 'HTTPSEdge/shop': {}, 'HTTPSEdgeRoute/shop:/': backend, 'HTTPSEdge/api': edge('shop') } },
      ['HTTPSEdge/shop: requests to https://shop.example.com no longer reach a backend'],
    ],
    [
      'when an ingress goes',
      { ours: { 'AgentIngress/office': { domain: 'Connect.example.com' } } },
      [
        'AgentIngress/office: connect.example.com is deleted: agents that use the domain or its regional domains can no longer connect',
      ],
    ],
    [
      'when an ingress gets another domain',
      {
        ours: { 'AgentIngress/office': { domain: 'connect.example.com' } },
        wanted: { 'AgentIngress/office': { domain: 'tunnels.example.com' } },
      },
      [
        'AgentIngress/office: connect.example.com is deleted: agents that use the domain or its regional domains can no longer connect',
      ],
    ],
  ])('%s', (_what, given, expected) => {
    expect(stops(given)).toEqual(expected);
  });

  test('at a reserved address only where something is active there', () => {
    const given: Given = { ours: { 'ReservedAddr/db': {} }, lifecycle: { 'ReservedAddr/db': { protect: false } } };
    expect(stops(given)).toEqual([]);
    const url = 'tcp://1.tcp.example.com:20000';
    const there = { id: 'ep_1', url, hostport: '1.tcp.example.com:20000', address: 'ra_db', metadata: '' };
    expect(stops(given, [there])).toEqual([`ReservedAddr/db: ${url} is no longer served`]);
  });
});

describe('traffic stops temporarily', () => {
  test.each<[string, Given, string[]]>([
    [
      'while an edge is made anew, because nothing can be updated',
      {
        profile: 'documented',
        ours: shop,
        wanted: { ...shop, 'HTTPSEdge/shop': { ...edge('shop'), description: 'new' } },
      },
      [
        '(temporary) HTTPSEdge/shop: requests to https://shop.example.com temporarily do not reach a backend: from when HTTPSEdge/shop is deleted until HTTPSEdgeRoute/shop:/ is created',
      ],
    ],
    [
      'while a hostport moves to another edge',
      {
        ours: { ...shop, 'HTTPSEdge/api': edge('api'), 'HTTPSEdgeRoute/api:/': backend },
        wanted: {
          'HTTPSEdge/shop': {},
          'HTTPSEdgeRoute/shop:/': backend,
          'HTTPSEdge/api': edge('api', 'shop'),
          'HTTPSEdgeRoute/api:/': backend,
        },
      },
      [
        '(temporary) HTTPSEdge/shop: requests to https://shop.example.com temporarily do not reach a backend: from when HTTPSEdge/shop is updated until HTTPSEdge/api is updated',
      ],
    ],
    [
      'while an edge is taken over under another name',
      {
        ours: shop,
        wanted: { 'HTTPSEdge/store': edge('shop'), 'HTTPSEdgeRoute/store:/': backend },
      },
      [
        '(temporary) HTTPSEdge/shop: requests to https://shop.example.com temporarily do not reach a backend: from when HTTPSEdge/shop is deleted until HTTPSEdgeRoute/store:/ is created',
      ],
    ],
  ])('%s', (_what, given, expected) => {
    expect(stops(given)).toEqual(expected);
  });

  test('and that alone is no reason to refuse', () => {
    const wanted = { ...shop, 'HTTPSEdge/shop': { ...edge('shop'), description: 'new' } };
    const plan = planOf({ profile: 'documented', ours: shop, wanted });
    expect(plan.hazards).toMatchObject([{ code: 'INTERRUPTS_TRAFFIC', temporary: true }]);
    expect(plan.changes.filter(({ blocked }) => blocked !== undefined)).toEqual([]);
  });
});

describe('traffic does not stop', () => {
  test.each<[string, Given]>([
    ['when a route goes whose requests another one takes', { ours: { ...shop, ...cart }, wanted: shop }],
    [
      'when a route gets an access control',
      { ours: shop, wanted: { ...shop, 'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth } } },
    ],
    [
      'when a route goes whose requests another one seems to take, by a host that is not described',
      {
        ours: { ...shop, 'HTTPSEdgeRoute/shop:shop.example.com:443/': backend },
        wanted: { 'HTTPSEdge/shop': edge('shop'), 'HTTPSEdgeRoute/shop:shop.example.com:443/': backend },
      },
    ],
    ['when a route that led nowhere goes', { ours: { ...shop, 'HTTPSEdgeRoute/shop:/cart': {} }, wanted: shop }],
    [
      'when a backend is exchanged',
      { ours: shop, wanted: { ...shop, 'HTTPSEdgeRoute/shop:/': { backend: { backend_id: 'bkd_b' } } } },
    ],
    ['when an edge joins', { ours: shop, wanted: { ...shop, 'HTTPSEdge/api': edge('api') } }],
    [
      'when an edge trusts another authority',
      {
        ours: { ...shop, 'CertificateAuthority/a': { ca_pem: 'a' } },
        wanted: {
          ...shop,
          'HTTPSEdge/shop': {
            ...edge('shop'),
            mutual_tls: { certificate_authority_ids: [to('CertificateAuthority/a')] },
          },
          'CertificateAuthority/a': { ca_pem: 'a' },
        },
      },
    ],
  ])('%s', (_what, given) => {
    expect(stops(given)).toEqual([]);
  });
});

describe('a place of which no URL is shown is named itself', () => {
  test.each<[string, ServedEndpoint[] | undefined, string]>([
    ['before it was asked', undefined, ''],
    ['where the service shows no edge', [], ' (the service lists no active endpoint of an edge)'],
    ['where it shows others', active(['api', 'edghts_api']), ' (no active endpoint has this URL)'],
  ])('%s', (_what, served, remark) => {
    const plan = planOf({ ours: { 'HTTPSEdge/shop': edge('shop') }, ...(served === undefined ? {} : { served }) });
    expect(plan.hazards.map(({ message }) => message)).toEqual([`shop.example.com:443${remark} is no longer served`]);
  });
});

test('traffic that one resource stops and restores is interrupted while it swaps values', () => {
  const routes = (open: string, closed: string): Specs => ({
    'HTTPSEdge/shop': edge('shop'),
    'HTTPSEdgeRoute/shop:/': backend,
    'HTTPSEdgeRoute/shop:one': { match: open, ...backend, ...oauth },
    'HTTPSEdgeRoute/shop:two': { match: closed, ...backend, ...oauth },
  });
  expect(stops({ ours: routes('/a', '/b'), wanted: routes('/b', '/a') })).toContain(
    '(temporary) HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… temporarily do not reach a backend: while the resource swaps values with other resources',
  );
});
