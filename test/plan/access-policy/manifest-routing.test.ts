import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { Ref, UnavailableValue, type SpecObject } from '../../../src/kinds/value.ts';
import type { Desired } from '../../../src/model/resource.ts';
import { manifestRouting } from '../../../src/plan/access-policy/manifest-rules.ts';

const hostports = ['shop.example.com:443'];
const backend = { backend_id: 'bkd_1' };

const resource = (address: string, spec: SpecObject, ignore?: readonly string[]): Desired =>
  ({
    address,
    kind: address.split('/')[0],
    spec,
    lifecycle: ignore === undefined ? {} : { ignore },
  }) as unknown as Desired;

const shop = resource('HTTPSEdge/shop', { hostports });
const inShop = (spec: SpecObject, ignore?: readonly string[]): Desired =>
  resource('HTTPSEdgeRoute/shop:r', { edge_id: new Ref('HTTPSEdge/shop'), match: '/', ...spec }, ignore);

/** What takes part, what is not known of it, and what is not placed. */
function routed(...resources: readonly Desired[]) {
  const { routing, facts } = manifestRouting(resources, kinds);
  const plain = (instance: string): string => instance.slice(instance.indexOf(' ') + 1);
  return {
    placed: [...routing].map(([instance, { spec, parent }]) => [plain(instance), parent && plain(parent), spec]),
    unknown: [...facts.unknownModules].map(([instance, modules]) => [plain(instance), Object.fromEntries(modules)]),
    unplaced: facts.unplaced.map(({ address, fact }) => [address, fact]),
  };
}

describe('the front door as manifests describe it', () => {
  test('has edges and their routes, and nothing else', () => {
    const route = inShop({ backend });
    expect(routed(resource('ReservedAddr/a', { region: 'eu' }), route, shop)).toEqual({
      placed: [
        ['HTTPSEdgeRoute/shop:r', 'HTTPSEdge/shop', route.spec],
        ['HTTPSEdge/shop', undefined, { hostports }],
      ],
      unknown: [],
      unplaced: [],
    });
  });

  test('lacks what the manifests leave to the account: what leads somewhere counts as leading there', () => {
    const { placed, unknown } = routed(shop, inShop({ backend, oauth: {} }, ['/backend', '/oauth/provider']));
    expect(placed[1]?.[2]).toEqual({ edge_id: new Ref('HTTPSEdge/shop'), match: '/', backend: {} });
    expect(unknown).toEqual([
      [
        'HTTPSEdgeRoute/shop:r',
        { backend: '`backend` is in lifecycle.ignore', oauth: '`oauth` is in lifecycle.ignore' },
      ],
    ]);
    expect(routed(shop, inShop({ backend }, ['/description', '/backends'])).unknown).toEqual([]);
  });

  test('lacks a module of which it is not known whether it is in force, but not one with another missing value', () => {
    const missing = new UnavailableValue();
    const why = '`oauth` has a value from outside the manifests that is not available here';
    expect(routed(shop, inShop({ oauth: { enabled: missing } })).unknown).toEqual([
      ['HTTPSEdgeRoute/shop:r', { oauth: why }],
    ]);
    expect(routed(shop, inShop({ oauth: { client_secret: missing } })).unknown).toEqual([]);
  });
});

describe('a route is not placed', () => {
  test.each<[string, Desired, string]>([
    [
      'where its match is not available',
      inShop({ match: new UnavailableValue() }),
      '`match` has a value from outside the manifests that is not available here',
    ],
    ['where its match is left to the account', inShop({}, ['/match']), '`match` is in lifecycle.ignore'],
    [
      'in an edge that is not among the manifests',
      inShop({ edge_id: new Ref('HTTPSEdge/other') }),
      'HTTPSEdge/other is not among the manifests',
    ],
    [
      'in an edge that is named by its id',
      inShop({ edge_id: 'edghts_1' }),
      '`edge_id` is the id of an edge that the manifests do not define',
    ],
  ])('%s', (_, route, fact) => {
    const { placed, unplaced } = routed(shop, route);
    expect([placed.length, unplaced]).toEqual([1, [['HTTPSEdgeRoute/shop:r', fact]]]);
  });

  test("in an edge of which it is not known which requests reach it, which itself is in nobody's way", () => {
    const unknown = resource('HTTPSEdge/shop', { hostports: [new UnavailableValue()] });
    expect(routed(unknown, inShop({ backend }))).toMatchObject({
      placed: [],
      unplaced: [['HTTPSEdgeRoute/shop:r', 'the manifests do not show which requests reach HTTPSEdge/shop']],
    });
  });
});
