import { describe, expect, test } from 'vitest';
import { backend, changes, graph, oauth, order, planOf, requests, reported, type Given } from '../support.ts';

const edge = (...hosts: string[]) => ({ hostports: hosts.map((host) => `${host}.example.com:443`) });
const shop = { 'HTTPSEdge/shop': edge('shop') };

describe('hostports', () => {
  test('one is given up before it is taken', () => {
    const plan = planOf({
      wanted: { 'HTTPSEdge/a': edge('a', 'b'), 'HTTPSEdge/b': edge() },
      ours: { 'HTTPSEdge/a': edge('a'), 'HTTPSEdge/b': edge('b') },
    });
    expect(graph(plan)).toEqual([
      'HTTPSEdge/b update',
      'HTTPSEdge/a update <- HTTPSEdge/b update (HTTPSEdge/b must release b.example.com:443 first)',
    ]);
  });

  test('a new edge waits for the one that goes', () => {
    const plan = planOf({ wanted: { 'HTTPSEdge/new': edge('shop') }, ours: shop });
    expect(order(plan)).toEqual(['HTTPSEdge/shop delete', 'HTTPSEdge/new create <- HTTPSEdge/shop delete']);
  });

  test('ten thousand in a row are given up one after the other', () => {
    const many = 10_000;
    const named = (n: number) => `HTTPSEdge/e${String(n).padStart(5, '0')}`;
    const all = (shift: number) =>
      Object.fromEntries(Array.from({ length: many }, (_, n) => [named(n), edge(`host${n + shift}`)]));
    const plan = planOf({ wanted: all(1), ours: all(0) });
    expect(plan.steps).toHaveLength(many);
    expect(plan.steps[0]?.address).toBe(named(many - 1));
  });

  test('case does not matter', () => {
    const plan = planOf({ wanted: { 'HTTPSEdge/new': { hostports: ['SHOP.example.com:443'] } }, ours: shop });
    expect(order(plan)[0]).toBe('HTTPSEdge/shop delete');
  });

  test('two edges that trade: one steps aside with none', () => {
    const plan = planOf({
      wanted: { 'HTTPSEdge/a': edge('b'), 'HTTPSEdge/b': edge('a') },
      ours: { 'HTTPSEdge/a': edge('a'), 'HTTPSEdge/b': edge('b') },
    });
    expect(requests(plan)).toEqual([
      'PATCH /edges/https/edghts_a {"hostports":[]}',
      'PATCH /edges/https/edghts_b {"hostports":["a.example.com:443"]}',
      'PATCH /edges/https/edghts_a {"hostports":["b.example.com:443"]}',
    ]);
    expect(plan.steps[0]).toMatchObject({
      role: 'prepare',
      note: 'temporarily releases its `hostports` while HTTPSEdge/a and HTTPSEdge/b swap values',
    });
  });

  test('what both specs of an edge hold is not given up while it steps aside', () => {
    const plan = planOf({
      wanted: { 'HTTPSEdge/a': edge('b', 'www'), 'HTTPSEdge/b': edge('a') },
      ours: { 'HTTPSEdge/a': edge('a', 'www'), 'HTTPSEdge/b': edge('b') },
    });
    expect(requests(plan)[0]).toBe('PATCH /edges/https/edghts_a {"hostports":["www.example.com:443"]}');
  });

  test('three in a ring: one steps aside, the others follow', () => {
    const plan = planOf({
      wanted: { 'HTTPSEdge/a': edge('b'), 'HTTPSEdge/b': edge('c'), 'HTTPSEdge/c': edge('a') },
      ours: { 'HTTPSEdge/a': edge('a'), 'HTTPSEdge/b': edge('b'), 'HTTPSEdge/c': edge('c') },
    });
    expect(plan.steps).toHaveLength(4);
    expect(plan.steps.filter(({ role }) => role === 'prepare')).toHaveLength(1);
    expect(order(plan)).toEqual([
      'HTTPSEdge/a prepare hostports',
      'HTTPSEdge/c update <- HTTPSEdge/a prepare hostports',
      'HTTPSEdge/b update <- HTTPSEdge/c update',
      'HTTPSEdge/a update <- HTTPSEdge/a prepare hostports, HTTPSEdge/b update',
    ]);
  });

  test('two rings each get one that steps aside', () => {
    const names = ['a', 'b', 'c', 'd'];
    const ours = Object.fromEntries(names.map((name) => [`HTTPSEdge/${name}`, edge(name)]));
    const wanted = Object.fromEntries(
      ['b', 'a', 'd', 'c'].map((host, at) => [`HTTPSEdge/${names[at] ?? ''}`, edge(host)]),
    );
    const plan = planOf({ wanted, ours });
    expect(plan.steps.filter(({ role }) => role === 'prepare').map(({ address }) => address)).toEqual([
      'HTTPSEdge/a',
      'HTTPSEdge/c',
    ]);
  });

  test('under documented a ring is made of replacements, the old ones away first', () => {
    const plan = planOf({
      profile: 'documented',
      wanted: { 'HTTPSEdge/a': edge('b'), 'HTTPSEdge/b': edge('a') },
      ours: { 'HTTPSEdge/a': edge('a'), 'HTTPSEdge/b': edge('b') },
    });
    expect(order(plan).map((line) => line.split(' <-')[0])).toEqual([
      'HTTPSEdge/b delete',
      'HTTPSEdge/a create',
      'HTTPSEdge/a delete',
      'HTTPSEdge/b create',
    ]);
    expect(changes(plan)).toEqual(['± HTTPSEdge/a', '∓ HTTPSEdge/b']);
  });
});

describe('matches', () => {
  const named = (name: string, match: string, more = {}) => ({
    [`HTTPSEdgeRoute/shop:${name}`]: { match, ...backend, ...more },
  });

  test('names that shift along matches make no ring: each gives up before the next takes', () => {
    const plan = planOf({
      wanted: { ...shop, ...named('a', '/2'), ...named('b', '/3') },
      ours: { ...shop, ...named('a', '/1'), ...named('b', '/2') },
    });
    expect(requests(plan)).toEqual([
      'PATCH /edges/https/edghts_shop/routes/edghtsrt_shop-b {"match":"/3"}',
      'PATCH /edges/https/edghts_shop/routes/edghtsrt_shop-a {"match":"/2"}',
    ]);
  });

  test('two that trade: the most restricted steps aside to a match that nobody asks for', () => {
    const plan = planOf({
      wanted: { ...shop, ...named('a', '/2'), ...named('b', '/1', oauth) },
      ours: { ...shop, ...named('a', '/1'), ...named('b', '/2', oauth) },
    });
    expect(requests(plan)).toEqual([
      expect.stringMatching(/^PATCH .*shop-b {"match":"\/\.sluice-[0-9a-f]{8}"}$/),
      'PATCH /edges/https/edghts_shop/routes/edghtsrt_shop-a {"match":"/2"}',
      'PATCH /edges/https/edghts_shop/routes/edghtsrt_shop-b {"match":"/1"}',
    ]);
  });

  test('equal matches in different edges have nothing to do with each other', () => {
    const two = { ...shop, 'HTTPSEdge/api': edge('api') };
    const plan = planOf({
      wanted: { ...two, 'HTTPSEdgeRoute/api:/': backend },
      ours: { ...two, 'HTTPSEdgeRoute/shop:/': backend },
    });
    expect(plan.steps.map(({ dependsOn }) => dependsOn)).toEqual([[], []]);
  });
});

describe('what others hold', () => {
  test.each<[string, Given, string]>([
    [
      'a hostport',
      { wanted: shop, foreign: { 'HTTPSEdge/theirs': edge('shop') } },
      'ALREADY_EXISTS_UNMANAGED HTTPSEdge/shop: shop.example.com:443 is already used by HTTPSEdge edghts_theirs, which this stack does not manage',
    ],
    [
      'a hostport of another stack',
      {
        wanted: shop,
        foreign: { 'HTTPSEdge/theirs': edge('shop') },
        markers: { 'HTTPSEdge/theirs': { s: 'web/00000001' } },
      },
      'ALREADY_EXISTS_UNMANAGED HTTPSEdge/shop: shop.example.com:443 is already used by HTTPSEdge edghts_theirs, which belongs to the stack web/00000001',
    ],
    [
      'a domain',
      {
        wanted: { 'AgentIngress/a': { domain: 'a.example.com' } },
        foreign: { 'AgentIngress/x': { domain: 'A.example.com' } },
      },
      'ALREADY_EXISTS_UNMANAGED AgentIngress/a: a.example.com is already used by AgentIngress agin_x, which this stack does not manage',
    ],
    [
      'a match in our edge',
      {
        wanted: { ...shop, 'HTTPSEdgeRoute/shop:front': { match: '/', ...backend } },
        ours: shop,
        foreign: { 'HTTPSEdgeRoute/shop:/': backend },
      },
      'ALREADY_EXISTS_UNMANAGED HTTPSEdgeRoute/shop:front: / is already used by HTTPSEdgeRoute edghtsrt_shop, which this stack does not manage',
    ],
    [
      'something of ours that this run leaves as it is',
      { wanted: { 'HTTPSEdge/new': edge('shop') }, ours: shop, whole: false },
      'IN_USE_IN_STACK HTTPSEdge/new: shop.example.com:443 is already used by HTTPSEdge/shop, which this plan does not change',
    ],
    [
      'what a retained edge keeps',
      { wanted: { 'HTTPSEdge/new': edge('shop') }, ours: shop, state: { 'HTTPSEdge/shop': { retain: true } } },
      'IN_USE_IN_STACK HTTPSEdge/new: shop.example.com:443 is already used by HTTPSEdge/shop, which stays in the account, because its lifecycle.on_remove is retain',
    ],
    [
      'what an edge keeps whose adoption was not completed',
      { wanted: { 'HTTPSEdge/new': edge('shop') }, ours: shop, state: { 'HTTPSEdge/shop': { adopting: true } } },
      'IN_USE_IN_STACK HTTPSEdge/new: shop.example.com:443 is already used by HTTPSEdge/shop, which this plan does not change',
    ],
    [
      'what an edge keeps because its manifest ignores it',
      {
        wanted: { 'HTTPSEdge/new': edge('shop'), 'HTTPSEdge/shop': { hostports: [] } },
        ours: shop,
        lifecycle: { 'HTTPSEdge/shop': { ignore: ['/hostports'] } },
      },
      'IN_USE_IN_STACK HTTPSEdge/new: shop.example.com:443 is already used by HTTPSEdge/shop, which keeps it, because /hostports is in its lifecycle.ignore',
    ],
  ])('%s is an error with a way out', (_what, given, message) => {
    const plan = planOf(given);
    expect(reported(plan, 'error')).toEqual([message]);
    expect(plan.diagnostics.find(({ severity }) => severity === 'error')?.hint).toBeTruthy();
  });

  test('an authority may be there twice', () => {
    const pem = { ca_pem: 'pem' };
    const plan = planOf({ wanted: { 'CertificateAuthority/a': pem }, foreign: { 'CertificateAuthority/b': pem } });
    expect(reported(plan, 'error')).toEqual([]);
  });
});
