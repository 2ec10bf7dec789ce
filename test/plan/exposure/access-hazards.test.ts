import { describe, expect, test } from 'vitest';
import { Secret, type SpecObject } from '../../../src/kinds/value.ts';
import {
  backend,
  blocked,
  hazards,
  hazardsOf,
  inputOf,
  ipRestriction,
  oauth,
  planOf,
  saml,
  type Specs,
} from '../support.ts';
import { planStack } from '../../../src/plan/plan.ts';
import { applied, nothing, planIn, walk, type World } from './walk-world.ts';

const shop = (modules: SpecObject, match = '/', hostports = ['shop.example.com:443']): Specs => ({
  'HTTPSEdge/shop': { hostports },
  [`HTTPSEdgeRoute/shop:${match}`]: { ...backend, ...modules },
});
const edge: Specs = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
const guests = { oauth: { provider: { google: { email_domains: ['example.com'] } } } };

function after(...stacks: readonly Specs[]): World {
  return stacks.reduce((world, manifests) => applied(world, planIn(world, manifests)), nothing);
}

const becomesPublic = 'EXPOSES_PUBLICLY HTTPSEdge/shop: https://shop.example.com/… becomes public: anyone can reach it';

test('what requests were last reached with is remembered while they reach nothing, and forgotten once they reach something', () => {
  const closed = planIn(after(shop(oauth)), edge);
  expect(Object.keys(closed.lastAccess.remember)).toEqual([
    'prefix shop.example.com:443 shop.example.com /',
    'backend digest of bkd_app',
  ]);
  const again = planIn(after(shop(oauth), edge), shop(oauth));
  expect(again.lastAccess).toEqual({ remember: {}, forget: Object.keys(closed.lastAccess.remember) });
});

describe('a walk of plans that are harmless each is reported where it opens:', () => {
  test('the route is deleted, then created without its authentication', () => {
    expect(walk(shop(oauth), edge, shop({}))).toEqual([
      [],
      [],
      [
        becomesPublic,
        'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… are served again, but no longer require authentication',
      ],
    ]);
  });

  test('the hostport and the authentication are taken away, then the hostport is given back', () => {
    expect(walk(shop(oauth), shop({}, '/', []), shop({}))).toEqual([
      [],
      [],
      [
        becomesPublic,
        'OPENS_ACCESS HTTPSEdge/shop: requests to https://shop.example.com/… are served again, but no longer require authentication',
      ],
    ]);
  });

  test('the protected match is narrowed, and later `/` is opened', () => {
    const narrow = shop(oauth, '/admin');
    const last = walk(shop(oauth), narrow, { ...narrow, ...shop({}) }).at(-1);
    expect(last).toEqual([
      becomesPublic,
      'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… are served again, but no longer require authentication',
    ]);
  });

  test('an allow list is lost on the way', () => {
    expect(walk(shop(guests), edge, shop(oauth)).at(-1)).toEqual([
      'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… are served again: `oauth.provider.google.email_addresses`, `oauth.provider.google.email_domains`: no entry is left, so access is not restricted',
    ]);
  });

  test('an edge goes, and a wildcard takes its requests later', () => {
    const any: Specs = { 'HTTPSEdge/any': { hostports: ['*.example.com:443'] }, 'HTTPSEdgeRoute/any:/': backend };
    expect(walk(shop(oauth), {}, any).at(-1)).toContain(
      'OPENS_ACCESS HTTPSEdgeRoute/any:/: requests to https://shop.example.com/… are served again, but no longer require authentication',
    );
  });

  test('another edge takes the requests in between, while a wildcard host is still remembered', () => {
    const hosts = (names: readonly string[]): Specs => ({
      'HTTPSEdge/shop': { hostports: names },
      'HTTPSEdgeRoute/shop:*.example.com/': backend,
    });
    const here = ['shop.example.com:443'];
    const any = { 'HTTPSEdge/any': { hostports: here }, 'HTTPSEdgeRoute/any:/': { ...backend, ...saml } };
    const open = { ...hosts(here), 'HTTPSEdgeRoute/shop:*.example.com/': { ...backend, ...oauth } };
    expect(walk(hosts(here), hosts([]), { ...hosts([]), ...any }, hosts([]), open).at(-1)).toEqual([
      'OPENS_ACCESS HTTPSEdge/shop: requests to https://*.example.com/… at shop.example.com:443 and https://shop.example.com/… are served again: access control `oauth` applies instead of `saml`, and may allow other clients',
    ]);
  });

  test('the same comes back with what it had', () => {
    expect(walk(shop(guests), edge, shop(guests)).at(-1)).toEqual([]);
    expect(walk(shop(guests), {}, shop(guests)).at(-1)).toEqual([]);
  });
});

describe('the route that takes a request is', () => {
  const losing = (protectedMatch: string, modules: SpecObject, ...open: readonly string[]): readonly string[] => {
    const others = Object.assign({}, ...open.map((match) => shop({}, match))) as Specs;
    const before = after({ ...others, ...shop({ ...modules, ...oauth }, protectedMatch) });
    const plan = planIn(before, { ...others, ...shop(modules, protectedMatch) });
    return plan.hazards.filter(({ code }) => code === 'EXPOSES_PUBLICLY').flatMap(({ urls = [] }) => urls);
  };

  test('the one with the exact path, before those with a prefix', () => {
    expect(losing('/x', { match_type: 'exact_path' }, '/')).toEqual(['https://shop.example.com/x']);
  });

  test('the one with the host, before those with a longer path', () => {
    expect(losing('shop.example.com/x', {}, '/', '/x/y')).toEqual([
      'https://shop.example.com/x/y…',
      'https://shop.example.com/x…',
    ]);
    // Requests whose Host header names another host go past the match with a host.
    expect(losing('/x/y', {}, 'shop.example.com/x')).toEqual(['https://*/x/y… at shop.example.com:443']);
  });

  test('the one with the longer prefix', () => {
    expect(losing('/x', {}, '/', '/x/y')).toEqual(['https://shop.example.com/x…']);
  });
});

test('a host that another edge serves is shown with the wildcard hostport where requests for it arrive', () => {
  const any: Specs = {
    'HTTPSEdge/any': { hostports: ['*.example.com:443'] },
    'HTTPSEdgeRoute/any:shop.example.com/x': { ...backend, ...oauth },
  };
  const open = { ...any, 'HTTPSEdgeRoute/any:shop.example.com/x': backend };
  const urls = (others: Specs): readonly string[] =>
    planIn(after({ ...any, ...others }), { ...open, ...others }).hazards.flatMap((hazard) => hazard.urls ?? []);
  expect(new Set(urls({}))).toEqual(new Set(['https://shop.example.com/x…']));
  expect(new Set(urls(shop(oauth)))).toEqual(new Set(['https://shop.example.com/x… at *.example.com:443']));
});

test('a targeted plan judges requests by all routes of the edge', () => {
  const world = after({ ...shop(oauth), ...shop({ ...saml }, '/admin') });
  const plan = planIn(world, { ...shop(oauth), ...shop({}, '/admin') }, { targets: ['HTTPSEdgeRoute/shop:/admin'] });
  expect(hazards(plan)).toContain(
    'EXPOSES_PUBLICLY HTTPSEdge/shop: https://shop.example.com/admin… becomes public: anyone can reach it',
  );
});

describe('drift', () => {
  test('that opens a URL is reported, and the control that comes back reads as that', () => {
    const world = { ...after(shop(oauth)), actual: shop({}) };
    expect(hazards(planIn(world, shop(oauth)))).toEqual([
      'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/… is already public; after the last apply, authentication (anyone with a Google account) was required; this plan ends the public access',
      'RESTRICTS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… again require authentication (anyone with a Google account)',
    ]);
  });

  test('that the manifests follow is reported all the same, and blocks nothing', () => {
    const plan = planIn({ ...after(shop(oauth)), actual: shop({}) }, shop({}));
    expect(plan.steps).toEqual([]);
    expect(hazards(plan)[0]).toContain('PUBLICLY_EXPOSED');
    expect(blocked(plan)).toEqual([]);
  });

  test('that made requests reach something is remembered where a targeted plan leaves it', () => {
    const idle: Specs = { ...edge, 'HTTPSEdgeRoute/shop:/': { ...oauth } };
    const opened: World = { ...after(shop(oauth), idle), actual: shop(oauth) };
    const targets = ['HTTPSEdge/shop'];
    const tls: Specs = { 'HTTPSEdge/shop': { ...edge['HTTPSEdge/shop'], tls_termination: { min_version: '1.3' } } };
    const left = applied(opened, planIn(opened, { ...idle, ...tls }, { targets }));
    const closed: World = { ...left, actual: { ...left.actual, ...idle, ...tls } };
    expect(hazards(planIn(closed, { ...idle, ...tls, ...shop({}, '/admin'), ...tls }))).toContain(
      'OPENS_ACCESS HTTPSEdgeRoute/shop:/admin: requests to https://shop.example.com/admin… are served again, but no longer require authentication',
    );
  });

  test('that exchanged a control is remembered beside what was applied where the plan ends the route', () => {
    const signed = (provider: string): Specs => shop({ webhook_verification: { provider, secret: new Secret('s') } });
    const ended = applied(
      { ...after(signed('github')), actual: signed('gitlab') },
      planIn({ ...after(signed('github')), actual: signed('gitlab') }, edge),
    );
    expect(hazards(planIn(ended, signed('github'))).map((line) => line.slice(0, 44))).toEqual([
      'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests',
    ]);
    expect(hazards(planIn(ended, signed('gitlab'))).map((line) => line.slice(0, 44))).toEqual([
      'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests',
    ]);
  });

  test('that left requests to a wider route is remembered where that route ends before the narrow one is back', () => {
    const both: Specs = { ...shop(oauth), ...shop(saml, '/x') };
    const without: World = { ...after(both), actual: shop(oauth) };
    const idle: Specs = { ...edge, 'HTTPSEdgeRoute/shop:/': oauth };
    const ended = applied(without, planIn(without, { ...both, ...idle }, { targets: ['HTTPSEdgeRoute/shop:/'] }));
    expect(hazardsOf(planIn(ended, { ...both, ...idle }), 'OPENS_ACCESS')).toEqual([
      'OPENS_ACCESS HTTPSEdgeRoute/shop:/x: requests to https://shop.example.com/x… are served again: access control `saml` applies instead of `oauth`, and may allow other clients',
    ]);
  });

  test('that took the backend away, and that a targeted plan leaves, is compared with what was applied once it is back', () => {
    const both: Specs = { ...shop(oauth), ...shop(saml, '/x') };
    const idle: World = { ...after(both), actual: { ...shop(oauth), 'HTTPSEdgeRoute/shop:/x': saml } };
    const left = applied(idle, planIn(idle, both, { targets: ['HTTPSEdgeRoute/shop:/'] }));
    expect(hazardsOf(planIn(left, { ...both, ...shop(oauth, '/x') }), 'OPENS_ACCESS')).toEqual([
      'OPENS_ACCESS HTTPSEdgeRoute/shop:/x: requests to https://shop.example.com/x… are served again: access control `oauth` applies instead of `saml`, and may allow other clients',
    ]);
  });

  test('that a plan leaves is remembered beside what was applied, for when the requests reach nothing', () => {
    const signed = (provider: string, hosts?: string[]): Specs =>
      shop({ webhook_verification: { provider, secret: new Secret('s') } }, '/', hosts);
    const drifted: World = { ...after(signed('github')), actual: signed('gitlab') };
    const left = applied(drifted, planIn(drifted, signed('github'), { targets: ['HTTPSEdge/shop'] }));
    const unserved: World = { ...left, actual: signed('gitlab', []) };
    expect(hazardsOf(planIn(unserved, signed('github')), 'OPENS_ACCESS')).toHaveLength(1);
    expect(hazardsOf(planIn(unserved, signed('gitlab')), 'OPENS_ACCESS')).toHaveLength(1);
  });

  test('that took the hostports away is compared with what was applied once they are back, also where a plan ends after the route', () => {
    const unserved: World = { ...after(shop(oauth)), actual: shop({}, '/', []) };
    const exchanging = planIn(unserved, shop(saml));
    expect(exchanging.steps.map(({ address }) => address)).toEqual(['HTTPSEdgeRoute/shop:/', 'HTTPSEdge/shop']);
    const half = applied(unserved, exchanging, 1);
    expect(hazardsOf(planIn(half, shop(saml)), 'OPENS_ACCESS')).toEqual([
      'OPENS_ACCESS HTTPSEdge/shop: requests to https://shop.example.com/… are served again: access control `saml` applies instead of `oauth`, and may allow other clients',
    ]);
  });

  test('that serves a path which reached nothing, beside others that were public, is reported', () => {
    const idle = { 'HTTPSEdgeRoute/shop:/x': { ...oauth } };
    const other: Specs = { 'HTTPSEdge/other': { hostports: [] }, 'HTTPSEdgeRoute/other:/': backend };
    const closed = { ...shop({}, '/', []), ...other };
    const world = after({ ...shop({}), ...other, ...idle }, closed);
    const served = { ...world.actual, 'HTTPSEdge/other': { hostports: ['shop.example.com:443'] } };
    expect(hazardsOf(planIn({ ...world, actual: served }, closed), 'PUBLICLY_EXPOSED')).toEqual([
      'PUBLICLY_EXPOSED HTTPSEdge/other: https://shop.example.com/x… is already public; this plan ends the public access',
    ]);
  });

  test('that terminates TLS upstream is reported where an access control was applied: it refuses nobody, with other values neither', () => {
    const exposed = [
      'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/… is already public; after the last apply, IP restriction (ipp_office) was required; this plan does not change the public access',
      'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… are no longer subject to IP restriction (changed outside sluice)',
    ];
    for (const ip_policy_ids of [['ipp_office'], ['ipp_office', 'ipp_home']]) {
      const given = inputOf({ wanted: shop({ ip_restriction: { ip_policy_ids } }), ours: shop(ipRestriction) });
      const ours = new Map(
        [...given.account.ours].map(([address, actual]) => [
          address,
          actual.kind === 'HTTPSEdge'
            ? { ...actual, computed: { tls_termination: { terminate_at: 'upstream' } } }
            : actual,
        ]),
      );
      expect(hazards(planStack({ ...given, account: { ...given.account, ours } }))).toEqual(exposed);
    }
  });

  test('by a route of nobody on our edge is reported', () => {
    const world = { ...after(shop(oauth)), unmanaged: { 'HTTPSEdgeRoute/shop:/open': backend } };
    expect(hazards(planIn(world, shop(oauth)))[0]).toContain(
      'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/open… is already public',
    );
  });
});

test('without state, what is public although the manifests protect it is reported', () => {
  const reported = [
    'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/… is already public; this plan ends the public access',
    'RESTRICTS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… now require authentication (anyone with a Google account)',
  ];
  const lost = { wanted: shop(oauth), ours: shop({}), state: 'lost' } as const;
  expect(hazards(planOf(lost))).toEqual(reported);
  const rebuilt = { 'HTTPSEdgeRoute/shop:/': { rebuilt: true } } as const;
  expect(hazards(planOf({ ...lost, state: rebuilt }))).toEqual(reported);
  expect(hazards(planOf({ ...lost, state: {} }))).toEqual(reported.slice(1));
});

test('what is public is named among URLs that require different things', () => {
  const before: Specs = { ...shop({}), ...shop(oauth, '/admin') };
  const mutual = { mutual_tls: { certificate_authority_ids: ['ca_partners'] } };
  const plan = planIn(after(before), { ...before, 'HTTPSEdge/shop': { ...edge['HTTPSEdge/shop'], ...mutual } });
  expect(plan.hazards.map(({ asked }) => asked?.before)).toEqual([
    'open to anyone; or authentication (anyone with a Google account)',
  ]);
});

describe('access.public', () => {
  test('without it, what becomes public is reported and does not block', () => {
    expect(blocked(planIn(nothing, shop({})))).toEqual([]);
  });

  test('blocks what it does not list, on the change that causes it', () => {
    const plan = planIn(nothing, shop({}), { meant: ['www.example.com/*'] });
    expect(hazards(plan)).toEqual([`${becomesPublic}, and access.public does not list it`]);
    expect(blocked(plan)).toEqual(['POLICY HTTPSEdgeRoute/shop:/']);
  });

  test('lists URLs that become public without a hazard', () => {
    for (const listed of ['shop.example.com/*', '*.example.com/*', 'shop.example.com:443', '*/*']) {
      const plan = planIn(nothing, shop({}), { meant: [listed] });
      expect(hazards(plan)).toEqual([]);
      expect(plan.publicByPolicy).toEqual(['https://shop.example.com/…']);
    }
  });

  test('lists a part of a route', () => {
    const plan = planIn(nothing, shop({}), { meant: ['shop.example.com/docs*'] });
    expect(plan.publicByPolicy).toEqual(['https://shop.example.com/docs…']);
    expect(plan.hazards[0]?.urls).toEqual(['https://shop.example.com/…']);
  });

  test('reports what is public already and not listed', () => {
    expect(hazards(planIn(after(shop({})), shop({}), { meant: [] }))).toEqual([
      'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/… is already public; this plan does not change the public access',
    ]);
  });
});

test('a route with a traffic policy alone may answer, so it is public', () => {
  const policy = { 'HTTPSEdgeRoute/shop:/': { traffic_policy: { value: '{}' } } };
  expect(hazards(planIn(nothing, { ...edge, ...policy }))).toEqual([becomesPublic]);
});

test('OPTIONS requests that skip authentication are public', () => {
  const plan = planIn(nothing, shop({ oauth: { provider: { google: {} }, options_passthrough: true } }));
  expect(plan.hazards.map(({ code, urls }) => [code, urls])).toEqual([
    ['EXPOSES_PUBLICLY', ['OPTIONS https://shop.example.com/…']],
  ]);
});

describe('a match whose host is not documented to select certain requests is judged both ways:', () => {
  const wide: Specs = { 'HTTPSEdge/shop': { hostports: ['*.example.com:443'] } };
  const route = (match: string, modules: SpecObject): Specs => ({
    [`HTTPSEdgeRoute/shop:${match}`]: { ...backend, ...modules },
  });

  test('open, it takes requests from a route with authentication', () => {
    const plan = planIn(after({ ...wide, ...route('/', oauth) }), {
      ...wide,
      ...route('/', oauth),
      ...route('api-*.example.com/', {}),
    });
    expect(hazardsOf(plan, 'EXPOSES_PUBLICLY')).toEqual([
      'EXPOSES_PUBLICLY HTTPSEdge/shop: https://api-*.example.com/… becomes public: anyone can reach it',
    ]);
  });

  test('with authentication, it leaves requests to an open route', () => {
    const restricted = { ...wide, ...route('api-*.example.com/', oauth) };
    const plan = planIn(after(restricted), { ...restricted, ...route('/', {}) });
    expect(hazardsOf(plan, 'EXPOSES_PUBLICLY')).toEqual([
      'EXPOSES_PUBLICLY HTTPSEdge/shop: https://*.example.com/… and https://api-*.example.com/… become public: anyone can reach them',
    ]);
  });

  test.each(['api.example.com:8443/', '*/', 'api.*.com/'])('%s', (match) => {
    const api: Specs = { 'HTTPSEdge/shop': { hostports: ['api.example.com:8443'] } };
    const restricted = { ...api, ...route(match, oauth), ...route('/', oauth) };
    const open = planIn(after(restricted), { ...restricted, ...route(match, {}) });
    const wider = planIn(after(restricted), { ...restricted, ...route('/', {}) });
    for (const plan of [open, wider])
      expect(plan.hazards.filter(({ code }) => code === 'EXPOSES_PUBLICLY').flatMap(({ urls }) => urls)).toContain(
        'https://api.example.com:8443/…',
      );
  });

  test('what comes back as it was is no hazard in either reading', () => {
    const before = { ...wide, ...route('/', {}), ...route('api-*.example.com/', oauth) };
    expect(
      walk(before, wide, before)
        .at(-1)
        ?.filter((line) => line.startsWith('OPENS_ACCESS')),
    ).toEqual([]);
  });
});

test('what an organization or a domain admits anyway is no restriction', () => {
  const asking = (provider: SpecObject): Specs => shop({ oauth: { provider } });
  for (const [ours, wanted] of [
    [asking({ github: { teams: ['acme/ops'] } }), asking({ github: { organizations: ['Acme'] } })],
    [asking({ google: { email_addresses: ['ann@a.com'] } }), asking({ google: { email_domains: ['a.com'] } })],
  ] as const)
    expect(hazards(planOf({ ours, wanted })).map((line) => line.split(' ')[0])).toEqual(['OPENS_ACCESS']);
});
