import { describe, expect, test } from 'vitest';
import type { SpecObject } from '../../../src/kinds/value.ts';
import { backend, hazards, inputOf, ipRestriction, oauth, planOf, type Specs } from '../support.ts';
import { applied, nothing, planIn, type World } from './walk-world.ts';

const manifests: Specs = {
  'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
  'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth },
};

/** An account after everything was applied, with something changed outside sluice. */
function drift(world: World, changes: Specs): World {
  return { ...world, actual: { ...world.actual, ...changes } };
}

function accessHazards(world: World, specs: Specs): readonly string[] {
  return hazards(planIn(world, specs)).filter((line) => !line.startsWith('INTERRUPTS_TRAFFIC'));
}

test('what drift required is remembered by an apply that ended before it undid the drift', () => {
  const first = applied(nothing, planIn(nothing, manifests));
  const stricter = drift(first, { 'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth, ...ipRestriction } });
  const interrupted = applied(stricter, planIn(stricter, manifests), 0);
  const unserved = drift(interrupted, { 'HTTPSEdge/shop': { hostports: [] } });
  expect(accessHazards(unserved, manifests)).toEqual([
    'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… are served again, but no longer require IP restriction',
  ]);
  expect(accessHazards(applied(unserved, planIn(unserved, manifests)), manifests)).toEqual([]);
});

test('so is what drift required of a host that was served by the part of the plan that was carried out', () => {
  const first = applied(nothing, planIn(nothing, manifests));
  const stricter = drift(first, { 'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth, ...ipRestriction } });
  const wider: Specs = {
    ...manifests,
    'HTTPSEdge/shop': { hostports: ['shop.example.com:443', 'www.example.com:443'] },
  };
  const interrupted = applied(stricter, planIn(stricter, wider), 1);
  expect(interrupted.actual['HTTPSEdge/shop']).toEqual(wider['HTTPSEdge/shop']);
  const unserved = drift(interrupted, { 'HTTPSEdge/shop': { hostports: [] } });
  expect(accessHazards(unserved, wider)).toEqual([
    'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… and https://www.example.com/… are served again, but no longer require IP restriction',
  ]);
});

test('what was applied by the part of a plan counts beside what was required before it', () => {
  const open: Specs = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] }, 'HTTPSEdgeRoute/shop:/': backend };
  const first = applied(nothing, planIn(nothing, open));
  const elsewhere: Specs = {
    'HTTPSEdge/shop': { hostports: ['www.example.com:443'] },
    'HTTPSEdgeRoute/shop:/': backend,
    'HTTPSEdgeRoute/shop:shop.example.com/admin': { ...backend, ...oauth },
  };
  const interrupted = applied(first, planIn(first, elsewhere), 1);
  const opened = drift(interrupted, { 'HTTPSEdgeRoute/shop:shop.example.com/admin': backend });
  expect(accessHazards(opened, elsewhere)).toContain(
    'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/admin… is already public; after the last apply, authentication (anyone with a Google account) was required; this plan ends the public access',
  );
});

test('what an interrupted plan would have made public is not taken for public when drift makes it so', () => {
  const open: Specs = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] }, 'HTTPSEdgeRoute/shop:/': backend };
  const first = applied(nothing, planIn(nothing, open));
  const newer = { tls_termination: { min_version: '1.3' } };
  const hardened = drift(first, { 'HTTPSEdge/shop': { ...open['HTTPSEdge/shop'], ...newer } });
  const moved: Specs = { ...open, 'HTTPSEdge/shop': { hostports: ['www.example.com:443'] } };
  const interrupted = applied(hardened, planIn(hardened, moved), 0);
  const byHand = drift(interrupted, { 'HTTPSEdge/shop': { ...moved['HTTPSEdge/shop'], ...newer } });
  expect(accessHazards(byHand, moved)).toContainEqual(
    expect.stringContaining('PUBLICLY_EXPOSED HTTPSEdge/shop: https://www.example.com/… is already public'),
  );
});

const restrictedAdmin: Specs = { ...manifests, 'HTTPSEdgeRoute/shop:/admin': { ...backend, ...ipRestriction } };

/** Somebody deletes resources. */
function deleted(world: World, ...addresses: readonly string[]): World {
  const actual = Object.fromEntries(Object.entries(world.actual).filter(([address]) => !addresses.includes(address)));
  return { ...world, actual };
}

test('what a targeted plan leaves to a wider route is remembered where the narrower one is gone', () => {
  const first = applied(nothing, planIn(nothing, restrictedAdmin));
  const without = deleted(first, ...Object.keys(restrictedAdmin));
  const targets = Object.keys(manifests);
  const partly = applied(without, planIn(without, restrictedAdmin, { targets }));
  const unserved = drift(partly, { 'HTTPSEdge/shop': { hostports: [] } });
  expect(accessHazards(unserved, restrictedAdmin)).toEqual([
    'OPENS_ACCESS HTTPSEdge/shop: requests to https://shop.example.com/admin… are served again, but no longer require authentication',
  ]);
});

test('a path that was served by a route of its own is not compared with a wider route that was deleted', () => {
  const first = applied(nothing, planIn(nothing, restrictedAdmin));
  const narrow: Specs = {
    'HTTPSEdge/shop': manifests['HTTPSEdge/shop'] ?? {},
    'HTTPSEdgeRoute/shop:/admin': { ...backend, ...ipRestriction },
  };
  const second = applied(first, planIn(first, narrow));
  expect(accessHazards(drift(second, { 'HTTPSEdge/shop': { hostports: [] } }), narrow)).toEqual([]);
});

test('a path that its new route has never served, because drift had taken the hostport, is compared with the wider route', () => {
  const edge: Specs = { 'HTTPSEdge/shop': manifests['HTTPSEdge/shop'] ?? {} };
  const first = applied(nothing, planIn(nothing, manifests));
  const unserved = drift(applied(first, planIn(first, edge)), { 'HTTPSEdge/shop': { hostports: [] } });
  const narrow: Specs = { ...edge, 'HTTPSEdgeRoute/shop:/admin': { ...backend, ...ipRestriction } };
  const partly = applied(unserved, planIn(unserved, narrow, { targets: ['HTTPSEdgeRoute/shop:/admin'] }));
  expect(partly.actual).toHaveProperty('HTTPSEdgeRoute/shop:/admin');
  expect(accessHazards(partly, narrow)).toEqual([
    'OPENS_ACCESS HTTPSEdge/shop: requests to https://shop.example.com/admin… are served again, but no longer require authentication',
  ]);
  const deeper = { ...backend, ...ipRestriction };
  const both: Specs = { ...edge, 'HTTPSEdgeRoute/shop:/admin': { ...deeper, ...oauth } };
  for (const specs of [edge, both])
    expect(accessHazards(partly, { ...specs, 'HTTPSEdgeRoute/shop:/admin/users': deeper })).toEqual([
      expect.stringContaining(
        'requests to https://shop.example.com/admin/users… are served again, but no longer require authentication',
      ),
    ]);
});

test('what state forgets at the beginning of a plan that ends early is remembered', () => {
  const first = applied(nothing, planIn(nothing, manifests));
  const without = deleted(first, 'HTTPSEdgeRoute/shop:/');
  const open: Specs = {
    'HTTPSEdge/shop': manifests['HTTPSEdge/shop'] ?? {},
    'HTTPSEdgeRoute/shop:shop.example.com/': backend,
  };
  const interrupted = applied(without, planIn(without, open), 0);
  expect(accessHazards(interrupted, open)).toEqual(accessHazards(without, open));
});

test('a route that drift made public with a traffic policy, and that gets a backend, says both', () => {
  const bare: Specs = { ...manifests, 'HTTPSEdgeRoute/shop:/': {} };
  const first = applied(nothing, planIn(nothing, bare));
  const answering = drift(first, { 'HTTPSEdgeRoute/shop:/': { traffic_policy: { value: '{}' } } });
  expect(accessHazards(answering, { ...manifests, 'HTTPSEdgeRoute/shop:/': backend })).toEqual([
    'EXPOSES_PUBLICLY HTTPSEdge/shop: https://shop.example.com/… becomes public: anyone can reach its backend, not only its traffic policy',
    'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/… is already public; this plan does not change the public access',
    'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… are no longer subject to traffic policy',
  ]);
});

test('a path that drift made public was not public on purpose because the whole host once was', () => {
  const edge: Specs = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
  const first = applied(nothing, planIn(nothing, { ...edge, 'HTTPSEdgeRoute/shop:/': backend }));
  const closed = applied(first, planIn(first, edge));
  const opened = { ...closed, unmanaged: { 'HTTPSEdgeRoute/shop:/admin': backend } };
  expect(accessHazards(opened, edge)).toEqual([
    'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/admin… is already public; this plan does not change the public access',
  ]);
});

test('what a backend required is still remembered after drift made it public for a while', () => {
  const on = (backend_id: string, more: SpecObject = {}): SpecObject => ({ backend: { backend_id }, ...more });
  const home: Specs = { 'HTTPSEdge/shop': manifests['HTTPSEdge/shop'] ?? {}, 'HTTPSEdgeRoute/shop:/': on('bkd_www') };
  const first = applied(nothing, planIn(nothing, { ...home, 'HTTPSEdgeRoute/shop:/admin': on('bkd_admin', oauth) }));
  const without = applied(first, planIn(first, home));
  const opened = drift(without, { 'HTTPSEdgeRoute/shop:/': on('bkd_admin') });
  const repaired = applied(opened, planIn(opened, home));
  expect(accessHazards(repaired, { ...home, 'HTTPSEdgeRoute/shop:/blog': on('bkd_admin') })).toEqual([
    'OPENS_ACCESS HTTPSEdgeRoute/shop:/blog: requests to https://shop.example.com/blog… reach the backend bkd_admin without authentication; until now, every URL of this backend required it',
  ]);
});

test('a field that the manifest ignores hides nothing of what else a person changed in its module', () => {
  const signIn = (more: SpecObject): Specs => ({
    ...manifests,
    'HTTPSEdgeRoute/shop:/': { ...backend, oauth: { provider: { google: {} }, ...more } },
  });
  const lifecycle = { 'HTTPSEdgeRoute/shop:/': { ignore: ['/oauth/cookie_prefix'] } };
  const state = {
    'HTTPSEdgeRoute/shop:/': inputOf({ ours: signIn({}) }).state?.entries['HTTPSEdgeRoute/shop:/'] ?? {},
  };
  const left = (more: SpecObject): readonly string[] =>
    hazards(planOf({ ours: signIn(more), wanted: signIn(more), lifecycle, state }));
  expect(left({ cookie_prefix: 'other.' })).toEqual([]);
  expect(left({ options_passthrough: true })).toContain(
    'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… (access control changed outside sluice): `oauth.options_passthrough` is enabled',
  );
});

describe('what drift opened and the manifest keeps is reported beside what the plan opens in the same list', () => {
  const google = (...email_domains: string[]): SpecObject => ({
    ...backend,
    oauth: { provider: { google: { email_domains } } },
  });
  const with_ = (route: SpecObject): Specs => ({ ...manifests, 'HTTPSEdgeRoute/shop:/': route });
  const first = applied(nothing, planIn(nothing, with_(google('a.com'))));
  const opened = (now: string[], wanted: string[]): readonly string[] =>
    hazards(planIn(drift(first, with_(google(...now))), with_(google(...wanted)))).flatMap((line) =>
      line.startsWith('OPENS_ACCESS')
        ? line.replace(/^.*?…/, '').replace('`oauth.provider.google.email_domains` ', '')
        : [],
    );
  const outside = ' (access control changed outside sluice):';

  test.each<[string, string[], string[], string[]]>([
    [
      'more is added',
      ['a.com', 'b.com'],
      ['a.com', 'b.com', 'c.com'],
      [': also allows c.com', `${outside} also allows b.com`],
    ],
    ['nothing is added', ['a.com', 'b.com'], ['a.com', 'b.com'], [`${outside} also allows b.com`]],
    ['a part is taken back', ['a.com', 'b.com', 'c.com'], ['a.com', 'b.com'], [`${outside} also allows b.com`]],
    ['all is taken back, and other is added', ['a.com', 'b.com'], ['a.com', 'c.com'], [': also allows c.com']],
    ['all is taken back', ['a.com', 'b.com'], ['a.com'], []],
    [
      'all is taken back, and the plan gives it those before and more',
      ['b.com'],
      ['a.com', 'c.com'],
      [': also allows a.com, c.com'],
    ],
    [
      'its entries are others, and the plan gives it those before and more',
      ['b.com', 'd.com'],
      ['a.com', 'b.com', 'c.com'],
      [': also allows a.com, c.com', `${outside} also allows b.com`],
    ],
  ])('%s', (_what, now, wanted, expected) => {
    expect([...opened(now, wanted)].sort()).toEqual([...expected].sort());
  });
});

test('what state knows only by its marker, because it was lost, has not drifted', () => {
  const ours = { ...manifests, 'HTTPSEdgeRoute/shop:/help': backend };
  const known = { spec: {}, rebuilt: true as const };
  for (const some of [Object.keys(ours), ['HTTPSEdgeRoute/shop:/help']]) {
    const plan = planOf({ ours, wanted: ours, state: Object.fromEntries(some.map((one) => [one, known])) });
    expect(hazards(plan)).toEqual([]);
    expect(plan.lastAccess).toEqual({ remember: {}, forget: [] });
  }
});
