import { describe, expect, test } from 'vitest';
import type { AccessRule, AccessRules } from '../../../src/model/exposure/access-rules.ts';
import {
  backend,
  blocked,
  hazards,
  hazardsOf,
  ipRestriction,
  oauth,
  oidc,
  order,
  planOf,
  requests,
  to,
  type Given,
  type Specs,
} from '../support.ts';

const shop = { hostports: ['shop.example.com:443'] };
const edge = { 'HTTPSEdge/shop': shop };
const restricted = { ...backend, ...oauth };
const law4 = 'otherwise, requests would bypass access control during the apply';

// The steps of a plan without what they wait for.
function listed(given: Given): string[] {
  return planOf(given).steps.map(({ id }) => id);
}

describe('on creation', () => {
  test('a restricted route is there before the open one that would catch its requests', () => {
    const plan = planOf({
      wanted: { ...edge, 'HTTPSEdgeRoute/shop:/': backend, 'HTTPSEdgeRoute/shop:/admin': restricted },
      ours: edge,
    });
    expect(order(plan)).toEqual([
      'HTTPSEdgeRoute/shop:/admin create',
      'HTTPSEdgeRoute/shop:/ create <- HTTPSEdgeRoute/shop:/admin create',
    ]);
    expect(plan.steps[1]?.dependsOn[0]?.reason).toBe(law4);
    expect(hazards(plan)).toEqual([
      'EXPOSES_PUBLICLY HTTPSEdge/shop: https://shop.example.com/… becomes public: anyone can reach it',
    ]);
  });

  test('routes that do not catch each other’s requests are made side by side', () => {
    const plan = planOf({
      wanted: { ...edge, 'HTTPSEdgeRoute/shop:/a': restricted, 'HTTPSEdgeRoute/shop:/b': backend },
      ours: edge,
    });
    expect(order(plan)).toEqual(['HTTPSEdgeRoute/shop:/a create', 'HTTPSEdgeRoute/shop:/b create']);
  });

  test('routes of one access control are made side by side', () => {
    const plan = planOf({
      wanted: { ...edge, 'HTTPSEdgeRoute/shop:/': { ...backend, ...oidc }, 'HTTPSEdgeRoute/shop:/a': restricted },
      ours: edge,
    });
    expect(order(plan).every((line) => !line.includes('<-'))).toBe(true);
  });

  test('the route that an access rule requires is there before one that would break the rule', () => {
    const rule: AccessRule = {
      name: 'staff',
      urls: ['shop.example.com/admin*'],
      require: ['named_users'],
      exceptMethods: [],
    };
    const access: AccessRules = {
      source: 'repository',
      rules: [rule],
      exceptions: [],
      strict: false,
    };
    const staff = { ...backend, oauth: { provider: { google: { email_domains: ['example.com'] } } } };
    const plan = planOf({
      wanted: { ...edge, 'HTTPSEdgeRoute/shop:/': restricted, 'HTTPSEdgeRoute/shop:/admin': staff },
      policy: { maxDeletes: { count: 100 }, block: [], access: [access] },
    });
    expect(order(plan).at(-1)).toBe(
      'HTTPSEdgeRoute/shop:/ create <- HTTPSEdge/shop create, HTTPSEdgeRoute/shop:/admin create',
    );
  });

  test('OPTIONS requests that only one of them exempts from authentication never get there in between', () => {
    const exempt = { ...backend, oauth: { ...oauth.oauth, options_passthrough: true } };
    const plan = planOf({
      wanted: { ...edge, 'HTTPSEdgeRoute/shop:/': exempt, 'HTTPSEdgeRoute/shop:/admin': restricted },
      ours: edge,
    });
    expect(order(plan)).toEqual([
      'HTTPSEdgeRoute/shop:/admin create',
      'HTTPSEdgeRoute/shop:/ create <- HTTPSEdgeRoute/shop:/admin create',
    ]);
    const both = { ...edge, 'HTTPSEdgeRoute/shop:/': exempt, 'HTTPSEdgeRoute/shop:/admin': restricted };
    const ending = planOf({ wanted: { ...edge, 'HTTPSEdgeRoute/shop:/': { oauth: exempt.oauth } }, ours: both });
    expect(order(ending)).toEqual([
      'HTTPSEdgeRoute/shop:/ unset backend',
      'HTTPSEdgeRoute/shop:/admin delete <- HTTPSEdgeRoute/shop:/ unset backend',
    ]);
  });

  test('a new restricted route over an open one that stays opens nothing', () => {
    const plan = planOf({
      wanted: { ...edge, 'HTTPSEdgeRoute/shop:/': backend, 'HTTPSEdgeRoute/shop:/admin': restricted },
      ours: { ...edge, 'HTTPSEdgeRoute/shop:/': backend },
    });
    expect(order(plan)).toEqual(['HTTPSEdgeRoute/shop:/admin create']);
    expect(hazardsOf(plan, 'OPENS_ACCESS')).toEqual([]);
  });
});

describe('an access control that moves', () => {
  const inside = { 'HTTPSEdgeRoute/shop:/': { ...backend, ...ipRestriction } };
  const mutualTls = { mutual_tls: { certificate_authority_ids: [to('CertificateAuthority/ca')] } };
  const ca = { 'CertificateAuthority/ca': { ca_pem: 'pem' } };
  const onEdge: Given['wanted'] = {
    ...ca,
    'HTTPSEdge/shop': { ...shop, ...mutualTls },
    'HTTPSEdgeRoute/shop:/': backend,
  };
  const onRoute: Given['wanted'] = { ...ca, ...edge, ...inside };

  test('from an edge to its route is on the route first', () => {
    expect(listed({ wanted: onRoute, ours: onEdge })).toEqual([
      'HTTPSEdgeRoute/shop:/ update',
      'HTTPSEdge/shop unset mutual_tls',
    ]);
  });

  test('and back is on the edge first', () => {
    expect(listed({ wanted: onEdge, ours: onRoute })).toEqual([
      'HTTPSEdge/shop update',
      'HTTPSEdgeRoute/shop:/ unset ip_restriction',
    ]);
  });

  test('within a route is put before the other is taken', () => {
    const plan = planOf({
      wanted: { ...edge, 'HTTPSEdgeRoute/shop:/': { ...backend, ...ipRestriction } },
      ours: { ...edge, 'HTTPSEdgeRoute/shop:/': restricted },
    });
    expect(listed({ wanted: { ...edge, ...inside }, ours: { ...edge, 'HTTPSEdgeRoute/shop:/': restricted } })).toEqual([
      'HTTPSEdgeRoute/shop:/ update',
      'HTTPSEdgeRoute/shop:/ unset oauth',
    ]);
    expect(hazardsOf(plan, 'OPENS_ACCESS')).toEqual([
      'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… are no longer subject to authentication',
    ]);
  });
});

describe('a restricted route whose requests an open one would catch', () => {
  const ours = {
    ...edge,
    'HTTPSEdgeRoute/shop:/': backend,
    'HTTPSEdgeRoute/shop:admin': { match: '/admin', ...restricted },
  };

  test('opens its requests when it is deleted, and the plan reports that', () => {
    const plan = planOf({ wanted: { ...edge, 'HTTPSEdgeRoute/shop:/': backend }, ours });
    expect(hazards(plan)).toEqual([
      'EXPOSES_PUBLICLY HTTPSEdge/shop: https://shop.example.com/admin… becomes public: anyone can reach it',
      'OPENS_ACCESS HTTPSEdgeRoute/shop:admin: requests to https://shop.example.com/admin… are no longer subject to authentication',
    ]);
    expect(blocked(plan)).toEqual([]);
  });

  test('moves only after the open one has lost its backend, and the open one gets it back', () => {
    const staff = {
      ...edge,
      'HTTPSEdgeRoute/shop:/': backend,
      'HTTPSEdgeRoute/shop:admin': { match: '/', ...restricted },
    };
    const plan = planOf({
      wanted: { ...edge, 'HTTPSEdgeRoute/shop:admin': { match: '/', ...restricted } },
      ours: {
        ...staff,
        'HTTPSEdgeRoute/shop:/': backend,
        'HTTPSEdgeRoute/shop:admin': { match: '/admin', ...restricted },
      },
    });
    expect(order(plan)[0]).toBe('HTTPSEdgeRoute/shop:/ delete');
  });

  test('trades its match with the open one without a gap: the other route loses its backend meanwhile', () => {
    const open = { 'HTTPSEdgeRoute/shop:open': { match: '/', ...backend } };
    const plan = planOf({
      wanted: {
        ...edge,
        ...open,
        'HTTPSEdgeRoute/shop:a': { match: '/b', ...restricted },
        'HTTPSEdgeRoute/shop:b': { match: '/a', ...restricted },
      },
      ours: {
        ...edge,
        ...open,
        'HTTPSEdgeRoute/shop:a': { match: '/a', ...restricted },
        'HTTPSEdgeRoute/shop:b': { match: '/b', ...restricted },
      },
    });
    expect(plan.steps.map(({ id }) => id)).toEqual([
      'HTTPSEdgeRoute/shop:open prepare remove backend',
      'HTTPSEdgeRoute/shop:a prepare match',
      'HTTPSEdgeRoute/shop:b update',
      'HTTPSEdgeRoute/shop:a update',
      'HTTPSEdgeRoute/shop:open prepare restore backend',
    ]);
    expect(requests(plan).at(0)).toBe('DELETE /edges/https/edghts_shop/routes/edghtsrt_shop-open/backend');
    expect(requests(plan).at(-1)).toBe(
      'PUT /edges/https/edghts_shop/routes/edghtsrt_shop-open/backend {"backend_id":"bkd_app"}',
    );
    expect(plan.changes.find(({ address }) => address === 'HTTPSEdgeRoute/shop:open')).toMatchObject({
      action: 'update',
      why: ['changed temporarily while other resources change, then restored'],
    });
    expect(hazardsOf(plan, 'OPENS_ACCESS')).toEqual([]);
  });

  test('is made anew in a new edge before the open one, so that nothing is open in between (documented)', () => {
    const plan = planOf({
      profile: 'documented',
      wanted: {
        'HTTPSEdge/shop': { ...shop, description: 'Public' },
        'HTTPSEdgeRoute/shop:/': backend,
        'HTTPSEdgeRoute/shop:/admin': restricted,
      },
      ours: { ...edge, 'HTTPSEdgeRoute/shop:/': backend, 'HTTPSEdgeRoute/shop:/admin': restricted },
    });
    expect(plan.steps.map(({ id }) => id)).toEqual([
      'HTTPSEdge/shop delete',
      'HTTPSEdge/shop create',
      'HTTPSEdgeRoute/shop:/admin create',
      'HTTPSEdgeRoute/shop:/ create',
    ]);
    expect(hazardsOf(plan, 'OPENS_ACCESS')).toEqual([]);
  });

  test('is temporarily open where the API has no request that closes the other route (documented)', () => {
    const account = (domain: string): Specs => ({
      'HTTPSEdge/all': { hostports: ['*.example.com:443'] },
      'HTTPSEdgeRoute/all:/': backend,
      ...edge,
      'HTTPSEdgeRoute/shop:/': { ...backend, oauth: { provider: { google: { email_domains: [domain] } } } },
    });
    const plan = planOf({ ours: account('a.com'), wanted: account('b.com'), profile: 'documented' });
    expect(plan.steps.filter(({ role }) => role === 'prepare')).toEqual([]);
    expect(hazardsOf(plan, 'OPENS_ACCESS (temporary)')).toHaveLength(1);
  });

  test('has no order where the other route is unmanaged: temporarily open, and refused unless allowed', () => {
    const given: Given = {
      wanted: {
        ...edge,
        'HTTPSEdgeRoute/shop:a': { match: '/b', ...restricted },
        'HTTPSEdgeRoute/shop:b': { match: '/a', ...restricted },
      },
      ours: {
        ...edge,
        'HTTPSEdgeRoute/shop:a': { match: '/a', ...restricted },
        'HTTPSEdgeRoute/shop:b': { match: '/b', ...restricted },
      },
      foreign: { 'HTTPSEdgeRoute/shop:/': backend },
    };
    const plan = planOf(given);
    // First the place of the one that steps aside is nobody's, then that of the other.
    expect(hazardsOf(plan, 'OPENS_ACCESS')).toEqual([
      expect.stringMatching(
        /^OPENS_ACCESS \(temporary\) HTTPSEdgeRoute\/shop:a: .*\/a… temporarily bypass access control/,
      ),
      expect.stringMatching(
        /^OPENS_ACCESS \(temporary\) HTTPSEdgeRoute\/shop:b: .*\/b… temporarily bypass access control/,
      ),
    ]);
    expect(blocked(plan)).toEqual(['POLICY HTTPSEdgeRoute/shop:a', 'POLICY HTTPSEdgeRoute/shop:b']);
    expect(blocked(planOf({ ...given, input: { allow: ['OPENS_ACCESS'] } }))).toEqual([]);
  });

  test('and each URL that is temporarily open is named', () => {
    const hostports = ['shop.example.com:443', 'www.example.com:443'];
    const routes = (a: string, b: string): Specs => ({
      'HTTPSEdge/shop': { hostports },
      'HTTPSEdgeRoute/shop:a': { match: a, ...restricted },
      'HTTPSEdgeRoute/shop:b': { match: b, ...restricted },
    });
    const plan = planOf({
      wanted: routes('/b', '/a'),
      ours: routes('/a', '/b'),
      foreign: { 'HTTPSEdgeRoute/shop:/': backend },
    });
    const temporary = plan.hazards.filter(({ code }) => code === 'OPENS_ACCESS');
    expect(temporary.map(({ address, urls }) => [address, urls])).toEqual([
      ['HTTPSEdgeRoute/shop:a', ['https://shop.example.com/a…', 'https://www.example.com/a…']],
      ['HTTPSEdgeRoute/shop:b', ['https://shop.example.com/b…', 'https://www.example.com/b…']],
    ]);
    expect(temporary[0]?.message).toContain(
      'requests to https://shop.example.com/a… and https://www.example.com/a… temporarily bypass',
    );
  });

  test('is reported for each of more routes than a call stack holds, that all move on to the path of the next', () => {
    const many = 5_100;
    const paths = (shift: number): Given['ours'] =>
      Object.fromEntries(
        Array.from({ length: many }, (_, index) => [
          `HTTPSEdgeRoute/shop:route-${index}`,
          { match: `/${(index + shift) % many}/`, ...restricted },
        ]),
      );
    const plan = planOf({
      wanted: { ...edge, ...paths(1) },
      ours: { ...edge, ...paths(0) },
      foreign: { 'HTTPSEdgeRoute/shop:/': backend },
    });
    expect(hazardsOf(plan, 'OPENS_ACCESS')).toHaveLength(many);
  });
});

test.each([3, 12])('an open route goes before the %i restricted ones whose requests it would catch', (many) => {
  const nested = Array.from({ length: many }, (_, depth) => `HTTPSEdgeRoute/shop:${'/admin'.repeat(depth + 1)}`);
  const plan = planOf({
    wanted: edge,
    ours: {
      ...edge,
      'HTTPSEdgeRoute/shop:/': backend,
      ...Object.fromEntries(nested.map((route) => [route, restricted])),
    },
  });
  expect(plan.steps[0]).toMatchObject({ id: 'HTTPSEdgeRoute/shop:/ delete', dependsOn: [] });
  expect(plan.steps.filter(({ dependsOn }) => dependsOn.length === 0)).toHaveLength(1);
  expect(plan.steps).toHaveLength(many + 1);
  expect(hazardsOf(plan, 'OPENS_ACCESS')).toEqual([]);
});

test('a hostport that moves to an open edge carries the access controls of where it goes only once it is there', () => {
  const plan = planOf({
    wanted: {
      'HTTPSEdge/a': { hostports: [] },
      'HTTPSEdge/b': { hostports: ['a.example.com:443'] },
      'HTTPSEdgeRoute/a:/': restricted,
      'HTTPSEdgeRoute/b:/': backend,
      'HTTPSEdgeRoute/b:/admin': restricted,
    },
    ours: {
      'HTTPSEdge/a': { hostports: ['a.example.com:443'] },
      'HTTPSEdge/b': {},
      'HTTPSEdgeRoute/a:/': restricted,
      'HTTPSEdgeRoute/b:/': backend,
    },
  });
  const steps = plan.steps.map(({ id }) => id);
  expect(steps.indexOf('HTTPSEdgeRoute/b:/admin create')).toBeLessThan(steps.indexOf('HTTPSEdge/b update'));
  expect(steps.indexOf('HTTPSEdge/a update')).toBeLessThan(steps.indexOf('HTTPSEdge/b update'));
  expect(hazardsOf(plan, 'OPENS_ACCESS')).toEqual([
    'OPENS_ACCESS HTTPSEdge/b: requests to https://a.example.com/… are no longer subject to authentication',
  ]);
});
