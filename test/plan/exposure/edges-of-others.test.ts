/* A stack may have routes on an edge of another stack. It speaks of the requests of these, and not of all that others do there. */
import { describe, expect, test } from 'vitest';
import type { SpecObject } from '../../../src/kinds/value.ts';
import type { Entry } from '../../../src/model/state.ts';
import { planStack } from '../../../src/plan/plan.ts';
import {
  backend,
  hazards,
  hazardsOf,
  idOf,
  inputOf,
  ipRestriction,
  oauth,
  oidc,
  order,
  planOf,
  type Given,
  type Specs,
} from '../support.ts';
import { applied, nothing, planIn } from './walk-world.ts';

const ours: Specs = { 'HTTPSEdgeRoute/theirs:/app': { ...backend, ...oauth, edge_id: idOf('HTTPSEdge/theirs') } };
const theirs: Specs = {
  'HTTPSEdge/theirs': { hostports: ['theirs.example.com:443'] },
  'HTTPSEdgeRoute/theirs:/': backend,
  'HTTPSEdgeRoute/theirs:/staff': { ...backend, ...oauth },
};
const declared = { maxDeletes: { count: 100 }, block: [], public: [] };
const plan = (given: Given) => planOf({ ours, wanted: ours, foreign: theirs, ...given });

test('the public routes of others on their own edge are no concern of this stack', () => {
  for (const given of [{}, { policy: declared }]) expect(hazards(plan(given))).toEqual([]);
});

test('nor does state record what they require', () => {
  expect(plan({}).lastAccess.remember).toEqual({});
});

test('but what takes requests that a route of this stack took is reported', () => {
  const foreign = { ...theirs, 'HTTPSEdgeRoute/theirs:/app/x': backend };
  expect(hazards(plan({ foreign }))).toEqual([
    'PUBLICLY_EXPOSED unmanaged edghts_theirs: https://theirs.example.com/app/x… is already public; after the last apply, authentication (anyone with a Google account) was required; this plan does not change the public access',
    'OPENS_ACCESS unmanaged edghtsrt_theirs-app-x: requests to https://theirs.example.com/app/x… are no longer subject to authentication (changed outside sluice)',
  ]);
});

test('so is what the deletion of such a route opens', () => {
  expect(hazards(plan({ wanted: {} })).map((line) => line.split(' ')[0])).toEqual(['OPENS_ACCESS', 'EXPOSES_PUBLICLY']);
});

describe('an edge of others that passes TLS through', () => {
  const address = 'HTTPSEdgeRoute/theirs:/app';
  const route = { [address]: { ...backend, ...ipRestriction, edge_id: idOf('HTTPSEdge/theirs') } };
  const edge = { 'HTTPSEdge/theirs': { hostports: ['theirs.example.com:443'] } };
  const passing = (entry: Partial<Entry>): string[] => {
    const { account, ...input } = inputOf({ ours: route, wanted: route, foreign: edge, state: { [address]: entry } });
    const computed = { tls_termination: { terminate_at: 'upstream' } };
    const foreign = account.foreign.map((actual) => ({ ...actual, computed }));
    return hazards(planStack({ ...input, account: { ...account, foreign } }));
  };

  test('opens what a route of this stack restricts, and every other URL, since nothing reads which path is requested', () => {
    expect(passing({})).toEqual([
      `OPENS_ACCESS ${address}: requests to https://theirs.example.com/app… are no longer subject to IP restriction (changed outside sluice)`,
      'PUBLICLY_EXPOSED unmanaged edghts_theirs: https://theirs.example.com/app… is already public; after the last apply, IP restriction (ipp_office) was required; this plan does not change the public access',
      'PUBLICLY_EXPOSED unmanaged edghts_theirs: https://theirs.example.com/… is already public; this plan does not change the public access',
    ]);
  });

  test('is not compared with an apply that nobody knows of, because the state was rebuilt', () => {
    expect(passing({ rebuilt: true })).toEqual([]);
  });
});

test('what others serve publicly at a URL that this stack has given up is no concern of it, though state records the sign-in', () => {
  const served = { ...backend, ...oauth, edge_id: idOf('HTTPSEdge/theirs') };
  const kept = { 'HTTPSEdgeRoute/theirs:/kept': served };
  const before = { ...kept, 'HTTPSEdgeRoute/theirs:/app': served };
  const edge = { 'HTTPSEdge/theirs': { hostports: ['theirs.example.com:443'] } };
  const { remember } = planIn({ ...nothing, actual: before, applied: before, unmanaged: edge }, kept).lastAccess;
  expect(Object.keys(remember)).toEqual(['prefix theirs.example.com:443 theirs.example.com /app']);
  const reused = { ...edge, 'HTTPSEdgeRoute/theirs:/app': backend };
  expect(hazards(planIn({ actual: kept, applied: kept, unmanaged: reused, lastAccess: remember }, kept))).toEqual([]);
});

const wildcard = { 'HTTPSEdge/all': { hostports: ['*.example.com:443'] } };
const shop = (route: SpecObject, hostports = ['shop.example.com:443']): Specs => ({
  'HTTPSEdge/shop': { hostports },
  'HTTPSEdgeRoute/shop:/': { ...backend, ...route },
});

test('an edge of others that takes the requests to a hostport which a plan releases is reported by what it requires', () => {
  const open = planOf({ ours: shop(oauth), wanted: {}, foreign: { ...wildcard, 'HTTPSEdgeRoute/all:/': backend } });
  expect(hazards(open)).toEqual([
    'OPENS_ACCESS HTTPSEdge/shop: requests to https://shop.example.com/… are no longer subject to authentication',
    'EXPOSES_PUBLICLY unmanaged edghts_all: https://shop.example.com/… becomes public: anyone can reach it',
    'INTERRUPTS_TRAFFIC HTTPSEdge/shop: shop.example.com:443 is no longer served; affected routes: HTTPSEdgeRoute/shop:/',
  ]);
  const same = planOf({
    ours: shop(oauth),
    wanted: {},
    foreign: { ...wildcard, 'HTTPSEdgeRoute/all:/': { ...backend, ...oauth } },
  });
  expect(hazards(same).map((line) => line.split(' ')[0])).toEqual(['INTERRUPTS_TRAFFIC']);
});

test('also at URLs that only drift has closed: they required a sign-in when this stack last served them', () => {
  const first = applied(nothing, planIn(nothing, shop(oauth)));
  const actual = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
  const closed = { ...first, actual, unmanaged: { ...wildcard, 'HTTPSEdgeRoute/all:/': backend } };
  expect(hazards(planIn(closed, {}))).toContain(
    'EXPOSES_PUBLICLY unmanaged edghts_all: https://shop.example.com/… becomes public: anyone can reach it',
  );
});

test('but not at URLs of that hostport that this stack never served', () => {
  const [api, foreign] = [
    { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] }, 'HTTPSEdgeRoute/shop:/api': backend },
    { ...wildcard, 'HTTPSEdgeRoute/all:/': backend },
  ];
  for (const given of [{}, { policy: declared }])
    expect(hazardsOf(planOf({ ours: api, wanted: {}, foreign, ...given }), 'EXPOSES_PUBLICLY')).toEqual([]);
});

test('a route without a backend closes its URLs: what its deletion leaves to a public route of others becomes public', () => {
  const closed = {
    'HTTPSEdgeRoute/theirs:/app': { edge_id: idOf('HTTPSEdge/theirs') },
    'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
    'HTTPSEdgeRoute/shop:/app': {},
  };
  const foreign = { ...theirs, ...wildcard, 'HTTPSEdgeRoute/all:/': backend };
  expect(hazards(plan({ ours: closed, wanted: {}, foreign }))).toEqual([
    'EXPOSES_PUBLICLY unmanaged edghts_all: https://shop.example.com/app… becomes public: anyone can reach it',
    'EXPOSES_PUBLICLY unmanaged edghts_theirs: https://theirs.example.com/app… becomes public: anyone can reach it',
    'INTERRUPTS_TRAFFIC HTTPSEdge/shop: shop.example.com:443 is no longer served',
  ]);
});

test('so is one that takes them only during the apply', () => {
  const foreign = { ...wildcard, 'HTTPSEdgeRoute/all:/': backend };
  const wanted = shop(oauth);
  const plan = planOf({
    profile: 'documented',
    ours: shop(oauth),
    wanted: { ...wanted, 'HTTPSEdge/shop': { ...wanted['HTTPSEdge/shop'], description: 'Shop' } },
    foreign,
  });
  expect(hazardsOf(plan, 'OPENS_ACCESS (temporary)')).toHaveLength(1);
});

test('what becomes public on an edge of the stack is reported also if an edge of others took the requests before', () => {
  const foreign = { ...wildcard, 'HTTPSEdgeRoute/all:/': backend };
  const plan = planOf({ ours: shop({}), wanted: shop({}, ['www.example.com:443']), foreign });
  expect(hazardsOf(plan, 'EXPOSES_PUBLICLY')).toEqual([
    'EXPOSES_PUBLICLY HTTPSEdge/shop: https://www.example.com/… becomes public: anyone can reach it',
  ]);
});

test('also in a first plan, without state', () => {
  const foreign = { ...wildcard, 'HTTPSEdgeRoute/all:/': { backend: { backend_id: 'bkd_all' } } };
  const plan = planOf({ wanted: shop({}), foreign, state: 'lost' });
  expect(hazards(plan)).toEqual([
    'EXPOSES_PUBLICLY HTTPSEdge/shop: https://shop.example.com/… becomes public: anyone can reach it',
  ]);
});

describe('an edge of the stack that takes requests from one of others', () => {
  const foreign = { ...wildcard, 'HTTPSEdgeRoute/all:/': { backend: { backend_id: 'bkd_all' }, ...oauth } };
  const taken = (route: SpecObject, others: Specs = foreign): string[] =>
    hazards(planOf({ wanted: shop(route), foreign: others }));

  test('is not compared with what that required, made at once or in two steps', () => {
    for (const route of [ipRestriction, oauth, { ...oauth, ...ipRestriction }]) expect(taken(route)).toEqual([]);
    const ours = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
    expect(hazards(planOf({ ours, wanted: shop(ipRestriction), foreign }))).toEqual([]);
  });

  test('is compared with what every URL of its backend required', () => {
    expect(taken(ipRestriction, { ...wildcard, 'HTTPSEdgeRoute/all:/': { ...backend, ...oauth } })).toEqual([
      'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… reach the backend bkd_app without authentication; until now, every URL of this backend required it',
    ]);
  });

  test('is compared with what the stack itself required there last, whoever has answered since', () => {
    const first = applied(nothing, planIn(nothing, shop(oauth)));
    const gone = { ...applied(first, planIn(first, {})), unmanaged: foreign };
    expect(hazards(planIn(gone, shop(ipRestriction)))).toEqual([
      'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… are served again, but no longer require authentication',
    ]);
    expect(hazards(planIn(gone, shop(oauth)))).toEqual([]);
  });

  test('also where somebody has taken the hostport from it, and a plan gives it back', () => {
    const first = applied(nothing, planIn(nothing, shop(oauth)));
    const drifted = { ...first, actual: { ...first.actual, 'HTTPSEdge/shop': { hostports: [] } }, unmanaged: foreign };
    const open = { ...drifted, unmanaged: { ...wildcard, 'HTTPSEdgeRoute/all:/': backend } };
    for (const world of [drifted, open])
      expect(hazards(planIn(world, shop(ipRestriction)))).toEqual([
        'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… are served again, but no longer require authentication',
      ]);
  });

  test('and on each path that it does not serve yet, although it serves another one again', () => {
    const first = applied(nothing, planIn(nothing, shop(oauth)));
    const gone = { ...applied(first, planIn(first, {})), unmanaged: foreign };
    const idle = { ...shop(oauth), 'HTTPSEdgeRoute/shop:/x': {} };
    const again = applied(gone, planIn(gone, idle));
    expect(hazards(planIn(again, { ...idle, 'HTTPSEdgeRoute/shop:/x': { ...backend, ...ipRestriction } }))).toEqual([
      'OPENS_ACCESS HTTPSEdgeRoute/shop:/x: requests to https://shop.example.com/x… are served again, but no longer require authentication',
    ]);
  });

  test('changes who can reach its URLs all the same', () => {
    const [change] = planOf({ wanted: shop(ipRestriction), foreign }).exposureChanges;
    expect([change?.before.route, change?.after.route]).toEqual(['unmanaged edghtsrt_all', 'HTTPSEdgeRoute/shop:/']);
  });
});

test('a hostport that others have served publicly is as safe as a new one while its routes are created', () => {
  const foreign = { ...wildcard, 'HTTPSEdgeRoute/all:/': backend };
  const wanted = { ...shop({}), 'HTTPSEdgeRoute/shop:/admin': { ...backend, ...oauth } };
  expect(order(planOf({ wanted, foreign }))).toEqual(order(planOf({ wanted })));
  expect(hazards(planOf({ wanted, foreign }))).toEqual(hazards(planOf({ wanted })));
});

test('nor does what they serve until then change the order of the steps, or count as temporarily open', () => {
  const ours = { ...shop(oauth, []), 'HTTPSEdgeRoute/shop:/admin': { ...backend, ...oauth } };
  const wanted = { ...shop(oidc), 'HTTPSEdgeRoute/shop:/admin': { ...backend, ...oidc } };
  const foreign = { ...wildcard, 'HTTPSEdgeRoute/all:/admin': backend };
  expect(order(planOf({ ours, wanted, foreign }))).toEqual(order(planOf({ ours, wanted })));
  expect(hazards(planOf({ ours, wanted, foreign }))).toEqual([]);
});

test('while an edge of others still takes the requests, the routes that will take them can change', () => {
  const foreign = { ...wildcard, 'HTTPSEdgeRoute/all:/': { ...backend, ...oauth } };
  const plan = planOf({ ours: shop({}, []), wanted: shop(ipRestriction), foreign });
  expect(order(plan)).toEqual([
    'HTTPSEdgeRoute/shop:/ update',
    'HTTPSEdge/shop update <- HTTPSEdgeRoute/shop:/ update',
  ]);
  expect(hazardsOf(plan, 'OPENS_ACCESS (temporary)')).toEqual([]);
});

test('an edge of others whose wildcard covers nothing that a plan moves is no concern of it', () => {
  const foreign = { ...wildcard, 'HTTPSEdgeRoute/all:/': backend };
  expect(hazards(planOf({ ours: shop(oauth), wanted: shop(oauth), foreign }))).toEqual([]);
  expect(hazards(planOf({ wanted: shop(oauth), foreign }))).toEqual([]);
});

test('what it required is not remembered: its owner may remove it, and the URL be served as before', () => {
  const foreign = { ...wildcard, 'HTTPSEdgeRoute/all:/': { ...backend, ...ipRestriction } };
  const first = applied({ ...nothing, unmanaged: foreign }, planIn({ ...nothing, unmanaged: foreign }, shop(oauth)));
  const gone = applied(first, planIn(first, {}));
  expect(hazards(planIn({ ...gone, unmanaged: {} }, shop(oauth)))).toEqual([]);
  expect(hazards(planIn({ ...gone, unmanaged: {} }, shop({})))).toContain(
    'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… are served again, but no longer require authentication',
  );
});

test('nor is what its backend required', () => {
  const foreign = { ...wildcard, 'HTTPSEdgeRoute/all:/': { backend: { backend_id: 'bkd_all' }, ...oauth } };
  expect(planOf({ wanted: shop(oauth), foreign }).lastAccess).toEqual({ remember: {}, forget: [] });
});

describe('what sluice does not read', () => {
  const served = (server?: string) => [
    { id: 'ep_1', url: '', hostport: '*.example.com:443', metadata: '', ...(server === undefined ? {} : { server }) },
  ];
  const opened = (given: Given): string[] => hazardsOf(planOf({ wanted: {}, ...given }), 'OPENS_ACCESS');

  test('may require less of the requests to a hostport that a plan releases', () => {
    expect(opened({ ours: shop(oauth), served: served('edghts_unread'), profile: 'documented' })).toEqual([
      'OPENS_ACCESS HTTPSEdge/shop: requests to https://shop.example.com/… are handled by the edge edghts_unread at *.example.com:443, whose access control is not known',
    ]);
    expect(opened({ ours: shop(oauth), served: served() })).toEqual([
      'OPENS_ACCESS HTTPSEdge/shop: requests to https://shop.example.com/… are handled by an agent at *.example.com:443, whose access control is not known',
    ]);
  });

  test('may require less while an edge is replaced, or hostports are traded: unknown access control is told, and does not block', () => {
    const wanted = { ...shop(oauth), 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'], description: 'Shop' } };
    const plan = planOf({ ours: shop(oauth), wanted, served: served('edghts_unread'), profile: 'documented' });
    expect(hazardsOf(plan, 'OPENS_ACCESS')).toEqual([
      'OPENS_ACCESS HTTPSEdge/shop: requests to https://shop.example.com/… are temporarily handled during the apply by the edge edghts_unread at *.example.com:443, whose access control is not known',
    ]);
    const both = (one: string, two: string): Specs => ({
      ...shop(oauth, [`${one}.example.com:443`]),
      'HTTPSEdge/api': { hostports: [`${two}.example.com:443`] },
    });
    expect(opened({ ours: both('a', 'b'), wanted: both('b', 'a'), served: served() })).toEqual([
      'OPENS_ACCESS HTTPSEdge/shop: requests to https://a.example.com/… are temporarily handled during the apply by an agent at *.example.com:443, whose access control is not known',
    ]);
  });

  test('may answer as well where an edge of this stack has the same wildcard', () => {
    const all = {
      'HTTPSEdge/all': { hostports: ['*.example.com:443'] },
      'HTTPSEdgeRoute/all:/': { ...backend, ...oauth },
    };
    const opening = { ours: { ...shop(oauth), ...all }, wanted: all };
    expect(opened(opening)).toEqual([]);
    expect(opened({ ...opening, served: served() })).toEqual([
      'OPENS_ACCESS HTTPSEdge/shop: requests to https://shop.example.com/… are handled by an agent at *.example.com:443, whose access control is not known',
    ]);
  });

  test('is nothing where the URL was public, or stays on an edge of the stack', () => {
    expect(opened({ ours: shop({}), served: served() })).toEqual([]);
    expect(opened({ ours: shop(oauth), wanted: shop(oauth), served: served() })).toEqual([]);
  });
});
