import { describe, expect, test } from 'vitest';
import { OutsideValue, type SpecObject } from '../../../src/kinds/value.ts';
import {
  changes,
  hazards,
  hazardsOf,
  inputOf,
  ipRestriction,
  oauth,
  planOf,
  saml,
  to,
  type Given,
  type Specs,
} from '../support.ts';
import { applied, nothing, planIn, walk } from './walk-world.ts';

const on = (id: string, more: SpecObject = {}): SpecObject => ({ backend: { backend_id: id }, ...more });
const google = (...email_domains: string[]): SpecObject => ({ oauth: { provider: { google: { email_domains } } } });
const edge = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
const admin = { 'HTTPSEdgeRoute/shop:/admin': on('bkdhr_admin', oauth) };
const shop: Specs = { ...edge, 'HTTPSEdgeRoute/shop:/': on('bkdhr_www'), ...admin };

/** The openings that a plan reports, other things of the account given. */
function openings(ours: Specs, wanted: Specs, more: Given = {}): string[] {
  return hazardsOf(planOf({ ours, wanted, ...more }), 'OPENS_ACCESS');
}

const until = 'until now, every URL of this backend required it';

describe('a backend that was behind a sign-in is reported where it is reached without', () => {
  test('a public route is given the backend of a protected one', () => {
    expect(openings(shop, { ...shop, 'HTTPSEdgeRoute/shop:/': on('bkdhr_admin') })).toEqual([
      `OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… reach the backend bkdhr_admin without authentication; ${until}`,
    ]);
  });

  test('a new route without a sign-in leads to it, beside a public route to another backend', () => {
    expect(openings(shop, { ...shop, 'HTTPSEdgeRoute/shop:/blog': on('bkdhr_admin') })).toEqual([
      `OPENS_ACCESS HTTPSEdgeRoute/shop:/blog: requests to https://shop.example.com/blog… reach the backend bkdhr_admin without authentication; ${until}`,
    ]);
  });

  test('a URL leads to it by access control that none of its URLs had, and loses access control of its own as well', () => {
    const both = { ...edge, 'HTTPSEdgeRoute/shop:/': on('bkdhr_www', { ...oauth, ...ipRestriction }) };
    const ours = {
      ...both,
      'HTTPSEdgeRoute/shop:/a': on('bkdhr_admin', oauth),
      'HTTPSEdgeRoute/shop:/b': on('bkdhr_admin', ipRestriction),
    };
    expect(openings(ours, { ...ours, 'HTTPSEdgeRoute/shop:/c': on('bkdhr_admin', saml) })).toContain(
      'OPENS_ACCESS HTTPSEdgeRoute/shop:/c: requests to https://shop.example.com/c… reach the backend bkdhr_admin; until now, each URL of this backend required more or other access control',
    );
  });

  test('a new edge leads to it: that the URL becomes public does not say what is behind it', () => {
    const blog = {
      'HTTPSEdge/blog': { hostports: ['blog.example.com:443', 'blog.example.org:443'] },
      'HTTPSEdgeRoute/blog:/': on('bkdhr_admin'),
    };
    expect(hazards(planOf({ ours: shop, wanted: { ...shop, ...blog } }))).toEqual([
      'EXPOSES_PUBLICLY HTTPSEdge/blog: https://blog.example.com/… and https://blog.example.org/… become public: anyone can reach them',
      `OPENS_ACCESS HTTPSEdgeRoute/blog:/: requests to https://blog.example.com/… and https://blog.example.org/… reach the backend bkdhr_admin without authentication; ${until}`,
    ]);
  });

  test('a new edge leads to it with a sign-in that lets in others', () => {
    const given = { ...edge, 'HTTPSEdgeRoute/shop:/admin': on('bkdhr_admin', google('acme.example')) };
    const other = { 'HTTPSEdge/other': { hostports: ['other.example.com:443'] } };
    const route = (more: SpecObject): Specs => ({
      ...given,
      ...other,
      'HTTPSEdgeRoute/other:/': on('bkdhr_admin', more),
    });
    expect(openings(given, route(google('other.example')))).toEqual([
      'OPENS_ACCESS HTTPSEdgeRoute/other:/: requests to https://other.example.com/… reach the backend bkdhr_admin with less access control than until now: `oauth.provider.google.email_domains` also allows other.example',
    ]);
    expect(openings(given, route(google('acme.example')))).toEqual([]);
    expect(openings(given, route({ ...google('acme.example'), ...ipRestriction }))).toEqual([]);
  });

  test('its routes required different things, and the new one requires another', () => {
    const given = { ...edge, ...admin, 'HTTPSEdgeRoute/shop:/office': on('bkdhr_admin', ipRestriction) };
    const wanted = {
      ...given,
      'HTTPSEdge/hooks': { hostports: ['hooks.example.com:443'] },
      'HTTPSEdgeRoute/hooks:/': on('bkdhr_admin', { webhook_verification: { provider: 'github', secret: 's' } }),
    };
    expect(openings(given, wanted)).toEqual([
      'OPENS_ACCESS HTTPSEdgeRoute/hooks:/: requests to https://hooks.example.com/… reach the backend bkdhr_admin; until now, each URL of this backend required more or other access control',
    ]);
  });

  test('the sign-in was at the edge: client certificates', () => {
    const ca = { 'CertificateAuthority/a': { ca_pem: 'a' } };
    const given = {
      ...ca,
      'HTTPSEdge/shop': {
        hostports: ['shop.example.com:443'],
        mutual_tls: { certificate_authority_ids: [to('CertificateAuthority/a')] },
      },
      'HTTPSEdgeRoute/shop:/': on('bkdhr_admin'),
    };
    const other = {
      'HTTPSEdge/other': { hostports: ['other.example.com:443'] },
      'HTTPSEdgeRoute/other:/': on('bkdhr_admin'),
    };
    expect(openings(given, { ...given, ...other })).toEqual([
      `OPENS_ACCESS HTTPSEdgeRoute/other:/: requests to https://other.example.com/… reach the backend bkdhr_admin without mutual TLS; ${until}`,
    ]);
  });

  test('all URLs that one change opens are one hazard, which names the backend by its `External`', () => {
    const given: Given = {
      ours: { ...edge, ...admin },
      wanted: {
        'HTTPSEdge/shop': { hostports: ['shop.example.com:443', 'shop.example.org:443'] },
        ...admin,
        'HTTPSEdgeRoute/shop:/open': on('bkdhr_admin'),
      },
    };
    const desired = { ...inputOf(given).desired, externals: { bkdhr_admin: 'External/admin' } };
    expect(hazardsOf(planOf({ ...given, input: { desired } }), 'OPENS_ACCESS')).toEqual([
      `OPENS_ACCESS HTTPSEdgeRoute/shop:/open: requests to https://shop.example.com/open… and https://shop.example.org/open… reach the backend External/admin without authentication; ${until}`,
    ]);
  });

  test('an open route that a match with the host of the edge hides led to it by any other Host header', () => {
    const given = {
      ...edge,
      'HTTPSEdgeRoute/shop:/': on('bkdhr_admin'),
      'HTTPSEdgeRoute/shop:shop.example.com/': on('bkdhr_www'),
      'HTTPSEdgeRoute/shop:shop.example.com/admin': on('bkdhr_admin', oauth),
    };
    const blog = { 'HTTPSEdgeRoute/shop:shop.example.com/blog': on('bkdhr_admin') };
    expect(openings(given, { ...given, ...blog })).toEqual([]);
    const { 'HTTPSEdgeRoute/shop:/': _, ...closed } = given;
    expect(openings(closed, { ...closed, ...blog })).toHaveLength(1);
  });

  test('a route of nobody on an edge of the stack counts as one that leads to it', () => {
    const foreign = { 'HTTPSEdgeRoute/shop:/guests': on('bkdhr_admin') };
    const wanted = { ...shop, 'HTTPSEdgeRoute/shop:/blog': on('bkdhr_admin') };
    expect(openings(shop, wanted)).toHaveLength(1);
    expect(openings(shop, wanted, { foreign })).toEqual([]);
  });

  test('its route was deleted outside sluice', () => {
    const { 'HTTPSEdgeRoute/shop:/admin': _, ...left } = shop;
    const state = {
      'HTTPSEdgeRoute/shop:/admin': {
        parent: 'edghts_shop',
        spec: {
          match_type: 'path_prefix',
          match: '/admin',
          backend: { backend_id: 'bkdhr_admin' },
          oauth: { provider: { google: {} } },
        },
      },
    };
    const found = openings(left, { ...left, 'HTTPSEdgeRoute/shop:/blog': on('bkdhr_admin') }, { state });
    expect(found.filter((line) => line.includes('bkdhr_admin'))).toHaveLength(1);
  });
});

describe('state remembers what a backend required that nothing leads to any more', () => {
  const { 'HTTPSEdgeRoute/shop:/admin': _, ...without } = shop;
  const blog = { ...without, 'HTTPSEdgeRoute/shop:/blog': on('bkdhr_admin') };
  const ofBackends = (lines: readonly string[] = []): string[] => lines.filter((line) => line.includes('bkdhr_admin'));

  test('a plan removes the protected route, and a later one adds another without its sign-in', () => {
    expect(ofBackends(walk(shop, without, blog).at(-1))).toEqual([
      `OPENS_ACCESS HTTPSEdgeRoute/shop:/blog: requests to https://shop.example.com/blog… reach the backend bkdhr_admin without authentication; ${until}`,
    ]);
  });

  test('the edge loses its hostports, and a later plan adds another edge', () => {
    const idle = { ...shop, 'HTTPSEdge/shop': { hostports: [] } };
    const other = { 'HTTPSEdge/b': { hostports: ['b.example.com:443'] }, 'HTTPSEdgeRoute/b:/': on('bkdhr_admin') };
    expect(ofBackends(walk(shop, idle, { ...idle, ...other }).at(-1))).toHaveLength(1);
  });

  test('once it is reached again, that counts', () => {
    const approved = { ...blog, 'HTTPSEdgeRoute/shop:/help': on('bkdhr_admin') };
    expect(ofBackends(walk(shop, without, blog, approved).at(-1))).toEqual([]);
    expect(ofBackends(walk(shop, without, shop, without, shop).at(-1))).toEqual([]);
    expect(ofBackends(walk(shop, without, blog, without, approved).at(-1))).toEqual([]);
  });

  test('it is recorded by a digest of its id, and only while nothing leads to it', () => {
    const gone = planIn(applied(nothing, planIn(nothing, shop)), without);
    expect(Object.keys(gone.lastAccess.remember)).toEqual(['backend digest of bkdhr_admin']);
    const office: Specs = { ...shop, 'HTTPSEdgeRoute/shop:/office': on('bkdhr_admin', ipRestriction) };
    const { 'HTTPSEdgeRoute/shop:/admin': __, ...one } = office;
    expect(planIn(applied(nothing, planIn(nothing, office)), one).lastAccess.remember).toEqual({});
  });

  test('a run that is killed while a route has no backend leaves a record of it', () => {
    const routes = (a: string, b: string): Specs => ({
      ...edge,
      'HTTPSEdgeRoute/shop:/': on('bkdhr_www', oauth),
      'HTTPSEdgeRoute/shop:a': { match: a, ...on('bkdhr_a', ipRestriction) },
      'HTTPSEdgeRoute/shop:b': { match: b, ...on('bkdhr_b', ipRestriction) },
    });
    const plan = planOf({ ours: routes('/a', '/b'), wanted: routes('/b', '/a') });
    expect(plan.steps.map(({ id }) => id)).toContain('HTTPSEdgeRoute/shop:/ prepare remove backend');
    expect(plan.lastAccess.remember).toHaveProperty(['backend digest of bkdhr_www']);
    expect(plan.lastAccess.forget).toContain('backend digest of bkdhr_www');
  });

  test('the creation of another route to it fails, and the deletion of the only one does not wait for that', () => {
    const other = { ...edge, 'HTTPSEdgeRoute/shop:shop.example.com/admin': on('bkdhr_admin', oauth) };
    const first = applied(nothing, planIn(nothing, { ...edge, ...admin }));
    const moved = planIn(first, other);
    const failed = applied(first, moved, Infinity, 'HTTPSEdgeRoute/shop:shop.example.com/admin');
    expect(failed.actual).toEqual(edge);
    expect(
      ofBackends(hazards(planIn(failed, { ...edge, 'HTTPSEdgeRoute/shop:/blog': on('bkdhr_admin') }))),
    ).toHaveLength(1);
    // Requests whose Host header names another host reach nothing since.
    expect(Object.keys(applied(first, moved).lastAccess)).toEqual(['prefix shop.example.com:443 * /admin']);
  });

  test('the edge is released, and a later plan adds another edge', () => {
    const lifecycle = Object.fromEntries(Object.keys(shop).map((one) => [one, { on_remove: 'retain' as const }]));
    const own = { 'HTTPSEdge/b': { hostports: ['b.example.com:443'] } };
    const first = planOf({ ours: { ...shop, ...own }, wanted: own, lifecycle });
    expect(changes(first)).toContain('. HTTPSEdge/shop');
    expect(hazards(first)).toEqual([]);
    const { remember: lastAccess } = first.lastAccess;
    expect(Object.keys(lastAccess)).toEqual([
      'prefix shop.example.com:443 shop.example.com /',
      'prefix shop.example.com:443 shop.example.com /admin',
      'backend digest of bkdhr_admin',
    ]);
    const { state } = inputOf({ ours: own });
    const known = state === undefined ? {} : { state: { ...state, lastAccess } };
    const added = { ...own, 'HTTPSEdgeRoute/b:/': on('bkdhr_admin') };
    expect(openings(own, added, { input: known })).toHaveLength(1);
    expect(hazardsOf(planOf({ ours: own, wanted: { ...own, ...shop }, input: known }), 'OPENS_ACCESS')).toEqual([]);
    const open = { ...own, ...shop, 'HTTPSEdgeRoute/shop:/admin': on('bkdhr_www') };
    expect(openings(own, open, { input: known })).toEqual([
      expect.stringContaining('https://shop.example.com/admin… are served again, but no longer require authentication'),
    ]);
  });

  test('its id comes from outside, and its route was deleted outside sluice', () => {
    const id = new OutsideValue('bkdhr_admin', { from_env: 'ADMIN' });
    const { 'HTTPSEdgeRoute/shop:/admin': __, ...left } = shop;
    const spec = { match_type: 'path_prefix', match: '/admin', ...oauth };
    const state = {
      'HTTPSEdgeRoute/shop:/admin': {
        parent: 'edghts_shop',
        spec: { ...spec, backend: { backend_id: { secret: 'digest of bkdhr_admin', from_env: 'ADMIN' } } },
      },
    };
    const wanted = { ...left, 'HTTPSEdgeRoute/shop:/blog': { backend: { backend_id: id } } };
    expect(openings(left, wanted, { state }).filter((line) => line.includes('reach the backend'))).toEqual([
      `OPENS_ACCESS HTTPSEdgeRoute/shop:/blog: requests to https://shop.example.com/blog… reach the backend (from env ADMIN) without authentication; ${until}`,
    ]);
  });

  test('it is not recorded while a wider route of the edge leads to it all the time', () => {
    const both: Specs = { ...shop, 'HTTPSEdgeRoute/shop:/admin/help': on('bkdhr_admin', oauth) };
    const other: Specs = { ...both, 'HTTPSEdgeRoute/shop:/admin/help': on('bkdhr_help', oauth) };
    expect(planIn(applied(nothing, planIn(nothing, both)), other).lastAccess.remember).toEqual({});
  });
});

describe('nothing is reported', () => {
  const open = (path: string, id = 'bkdhr_admin'): Specs => ({ [`HTTPSEdgeRoute/shop:${path}`]: on(id) });

  test.each<[string, Specs, Specs]>([
    ['for a second public URL of a backend', { ...edge, ...open('/') }, { ...edge, ...open('/'), ...open('/healthz') }],
    [
      'for a public URL beside another one of the same backend',
      { ...shop, ...open('/help') },
      { ...shop, ...open('/help'), ...open('/blog') },
    ],
    ['for a backend that nothing led to', shop, { ...shop, ...open('/blog', 'bkdhr_blog') }],
    ['for the first creation of everything', {}, { ...shop, ...open('/blog') }],
    ['for a new route with the same sign-in', shop, { ...shop, 'HTTPSEdgeRoute/shop:/blog': on('bkdhr_admin', oauth) }],
    [
      'for a backend behind a route of an edge that nothing arrives at',
      { ...shop, 'HTTPSEdge/shop': { hostports: [] } },
      {
        ...shop,
        'HTTPSEdge/shop': { hostports: [] },
        'HTTPSEdge/b': { hostports: ['b.example.com:443'] },
        'HTTPSEdgeRoute/b:/': on('bkdhr_admin'),
      },
    ],
    [
      'where a filter is missing alone',
      { ...edge, 'HTTPSEdgeRoute/shop:/': on('bkdhr_www', { user_agent_filter: { deny: ['curl'] } }) },
      {
        ...edge,
        'HTTPSEdgeRoute/shop:/': on('bkdhr_www', { user_agent_filter: { deny: ['curl'] } }),
        'HTTPSEdge/blog': { hostports: ['blog.example.com:443'] },
        'HTTPSEdgeRoute/blog:/': on('bkdhr_www'),
      },
    ],
  ])('%s', (_, ours, wanted) => {
    expect(openings(ours, wanted)).toEqual([]);
  });

  test('a second time, where the URL itself is reported for the same reason', () => {
    const both = { ...edge, 'HTTPSEdgeRoute/shop:/': on('bkdhr_www', oauth), ...admin };
    expect(openings(both, { ...both, 'HTTPSEdgeRoute/shop:/': on('bkdhr_admin') })).toEqual([
      'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… are no longer subject to authentication',
    ]);
    expect(openings(both, { ...both, 'HTTPSEdgeRoute/shop:/': on('bkdhr_www') })).toHaveLength(1);
  });
});
