import { describe, expect, test } from 'vitest';
import {
  backend,
  blocked,
  changeOf,
  changes,
  oauth,
  order,
  planOf,
  reasons,
  requests,
  to,
  reported,
  type Given,
} from './support.ts';

const shop = { hostports: ['shop.example.com:443'] };
const edge = { 'HTTPSEdge/shop': shop };

describe('what is wanted and what is there', () => {
  test.each<[string, Given, string[]]>([
    ['wanted and not there: create', { wanted: edge }, ['+ HTTPSEdge/shop']],
    ['there as wanted: nothing', { wanted: edge, ours: edge }, []],
    [
      'there and other: update',
      { wanted: { 'HTTPSEdge/shop': { ...shop, description: 'Public' } }, ours: edge },
      ['~ HTTPSEdge/shop'],
    ],
    [
      'another marker alone: an update of the marker',
      { wanted: edge, ours: edge, markers: { 'HTTPSEdge/shop': { a: 'HTTPSEdge/old' } } },
      ['~ HTTPSEdge/shop marker'],
    ],
    [
      'a marker that somebody took away: an update of the marker',
      { wanted: edge, ours: edge, markers: { 'HTTPSEdge/shop': undefined } },
      ['~ HTTPSEdge/shop marker'],
    ],
    [
      'an immutable field: replace, the new one first',
      {
        wanted: { 'ReservedAddr/db': { region: 'eu' } },
        ours: { 'ReservedAddr/db': { region: 'us' } },
        lifecycle: { 'ReservedAddr/db': { protect: false } },
      },
      ['± ReservedAddr/db'],
    ],
    ['not wanted: delete', { ours: edge }, ['- HTTPSEdge/shop']],
    [
      'not wanted, but to be retained: forget',
      { ours: edge, lifecycle: { 'HTTPSEdge/shop': { on_remove: 'retain' } } },
      ['. HTTPSEdge/shop'],
    ],
    ['not wanted and gone already: forget', { state: { 'HTTPSEdge/shop': {} } }, ['. HTTPSEdge/shop']],
    ['wanted and gone meanwhile: create', { wanted: edge, state: { 'HTTPSEdge/shop': {} } }, ['+ HTTPSEdge/shop']],
    ['what is foreign is left alone', { foreign: edge }, []],
  ])('%s', (_what, given, expected) => {
    expect(changes(planOf(given))).toEqual(expected);
  });
});

describe('what lives inside', () => {
  const route = { 'HTTPSEdgeRoute/shop:/': backend };

  test('goes with its edge, without a separate request', () => {
    const plan = planOf({ ours: { ...edge, ...route } });
    expect(changes(plan)).toEqual(['- HTTPSEdge/shop', '- HTTPSEdgeRoute/shop:/ with HTTPSEdge/shop']);
    expect(requests(plan)).toEqual(['DELETE /edges/https/edghts_shop']);
  });

  test('is made anew where it moves to another edge: there first, because nothing keeps both apart', () => {
    const office = { 'HTTPSEdge/office': { hostports: ['office.example.com:443'] } };
    const plan = planOf({
      wanted: { ...edge, ...office, 'HTTPSEdgeRoute/office:admin': { match: '/', ...backend } },
      ours: { ...edge, ...office, 'HTTPSEdgeRoute/shop:/': backend },
      lifecycle: { 'HTTPSEdgeRoute/office:admin': { moved_from: 'HTTPSEdgeRoute/shop:/' } },
    });
    expect(changes(plan)).toEqual(['± HTTPSEdgeRoute/office:admin']);
    expect(changeOf(plan, 'HTTPSEdgeRoute/office:admin').movedFrom).toBe('HTTPSEdgeRoute/shop:/');
    expect(requests(plan)).toEqual([
      'POST /edges/https/edghts_office/routes {"match_type":"path_prefix","match":"/","backend":{"backend_id":"bkd_app"}} +marker',
      'DELETE /edges/https/edghts_shop/routes/edghtsrt_shop',
    ]);
  });

  test('goes with the edge it leaves, where that is deleted', () => {
    const plan = planOf({
      wanted: { 'HTTPSEdge/office': {}, 'HTTPSEdgeRoute/office:/': backend },
      ours: { ...edge, 'HTTPSEdge/office': {}, 'HTTPSEdgeRoute/shop:/': backend },
      lifecycle: { 'HTTPSEdgeRoute/office:/': { moved_from: 'HTTPSEdgeRoute/shop:/' } },
    });
    expect(changes(plan)).toEqual(['- HTTPSEdge/shop', '∓ HTTPSEdgeRoute/office:/ with HTTPSEdge/shop']);
    expect(requests(plan).filter((line) => line.startsWith('DELETE'))).toEqual(['DELETE /edges/https/edghts_shop']);
  });
});

describe('under documented', () => {
  const given = (wanted: Given['wanted'], ours: Given['ours'], more: Given = {}): Given => ({
    profile: 'documented',
    wanted: wanted ?? {},
    ours: ours ?? {},
    ...more,
  });
  const two = { ...edge, 'HTTPSEdgeRoute/shop:/': backend, 'HTTPSEdgeRoute/shop:/a': { ...backend, ...oauth } };

  test('an edge that changes is made anew with all its routes, the old one away first', () => {
    const plan = planOf(given({ ...two, 'HTTPSEdge/shop': { ...shop, description: 'Public' } }, two));
    expect(changes(plan)).toEqual([
      '∓ HTTPSEdge/shop',
      '∓ HTTPSEdgeRoute/shop:/ with HTTPSEdge/shop',
      '∓ HTTPSEdgeRoute/shop:/a with HTTPSEdge/shop',
    ]);
    expect(changeOf(plan, 'HTTPSEdge/shop').why).toEqual([
      'the API profile documented does not support updating `description`',
    ]);
    expect(requests(plan).map((line) => line.split(' ', 2).join(' '))).toEqual([
      'DELETE /edges/https/edghts_shop',
      'POST /edges/https',
      'POST /edges/https/{HTTPSEdge/shop}/routes',
      'POST /edges/https/{HTTPSEdge/shop}/routes',
    ]);
  });

  test('an edge whose hostports all change is there anew before the old one goes', () => {
    const moved = { ...two, 'HTTPSEdge/shop': { hostports: ['www.example.com:443'] } };
    expect(changes(planOf(given(moved, two)))[0]).toBe('± HTTPSEdge/shop');
  });

  test('a route that changes takes its edge along, and the edge reports why', () => {
    const plan = planOf(given({ ...two, 'HTTPSEdgeRoute/shop:/': { ...backend, compression: {} } }, two));
    expect(changeOf(plan, 'HTTPSEdge/shop').why).toEqual([
      'the plan changes HTTPSEdgeRoute/shop:/, but the API profile documented does not support updating `compression`',
    ]);
    expect(changes(plan)).toHaveLength(3);
  });

  test('a module with a path of its own is put or deleted by a request of its own', () => {
    const hook = { webhook_verification: { provider: 'sns' } };
    const before = { ...edge, 'HTTPSEdgeRoute/shop:/': { ...backend, ...hook } };
    const after = { ...edge, 'HTTPSEdgeRoute/shop:/': { ...backend, ip_restriction: { ip_policy_ids: ['ipp_a'] } } };
    expect(order(planOf(given(after, before)))).toEqual([
      'HTTPSEdgeRoute/shop:/ put ip_restriction',
      'HTTPSEdgeRoute/shop:/ unset webhook_verification <- HTTPSEdgeRoute/shop:/ put ip_restriction',
    ]);
  });

  test('a route that must go takes its edge along', () => {
    const { 'HTTPSEdgeRoute/shop:/a': _, ...rest } = two;
    const plan = planOf(given(rest, two));
    expect(changes(plan)).toEqual([
      '∓ HTTPSEdge/shop',
      '∓ HTTPSEdgeRoute/shop:/ with HTTPSEdge/shop',
      '- HTTPSEdgeRoute/shop:/a with HTTPSEdge/shop',
    ]);
    expect(requests(plan)).toHaveLength(3);
  });

  test('a route that moves takes along the edge it leaves, not the one it comes to', () => {
    const office = { 'HTTPSEdge/office': { hostports: ['office.example.com:443'] } };
    const plan = planOf(
      given(
        { ...edge, ...office, 'HTTPSEdgeRoute/office:/a': { ...backend, ...oauth } },
        { ...edge, ...office, 'HTTPSEdgeRoute/shop:/a': { ...backend, ...oauth } },
        { lifecycle: { 'HTTPSEdgeRoute/office:/a': { moved_from: 'HTTPSEdgeRoute/shop:/a' } } },
      ),
    );
    expect(changes(plan)).toEqual(['∓ HTTPSEdge/shop', '∓ HTTPSEdgeRoute/office:/a with HTTPSEdge/shop']);
    expect(requests(plan).map((line) => line.split(' ', 2).join(' '))).toEqual([
      'POST /edges/https/edghts_office/routes',
      'DELETE /edges/https/edghts_shop',
      'POST /edges/https',
    ]);
  });

  test.each([
    ['not wanted any more', {}],
    ['changed', { 'HTTPSEdgeRoute/theirs:/': { edge_id: 'edghts_theirs', ...backend, compression: {} } }],
  ])('a route of ours in an edge that is not cannot be had, and the plan reports that: %s', (_what, wanted) => {
    const plan = planOf(
      given(wanted, { 'HTTPSEdgeRoute/theirs:/': backend }, { foreign: { 'HTTPSEdge/theirs': shop } }),
    );
    expect(reported(plan, 'error')).toEqual([expect.stringMatching(/^UNSUPPORTED_CHANGE HTTPSEdgeRoute\/theirs:\/: /)]);
    expect(plan.diagnostics.map(({ place }) => place !== undefined)).toEqual([Object.keys(wanted).length > 0]);
    expect(plan.diagnostics[0]?.hint).toMatch(/api\.profile: completed/);
    expect(requests(plan).filter((line) => line.startsWith('DELETE'))).toEqual([]);
  });

  test('the marker of an edge cannot be written, and that is no change, unless state is to record what it says', () => {
    const unmarked = given(two, two, { markers: { 'HTTPSEdge/shop': undefined } });
    expect(changes(planOf(unmarked))).toEqual([]);
    const lost = planOf({ ...unmarked, state: 'lost' });
    expect(changes(lost)).toEqual(['s HTTPSEdge/shop']);
    expect(requests(lost)).toEqual([]);
    expect(reported(lost)).toEqual([expect.stringMatching(/^OWNERSHIP_IN_STATE_ONLY HTTPSEdge\/shop: /)]);
  });

  test('what is adopted as it is takes no request at all', () => {
    const plan = planOf(given(edge, {}, { foreign: edge, lifecycle: { 'HTTPSEdge/shop': { adopt: 'edghts_shop' } } }));
    expect(changes(plan)).toEqual(['> HTTPSEdge/shop']);
    expect(requests(plan)).toEqual([]);
    expect(reported(plan, 'error')).toEqual([]);
  });

  test('a targeted run does not take along what it does not target', () => {
    const plan = planOf(given({ 'HTTPSEdge/shop': { ...shop, description: 'Public' } }, two, { whole: false }));
    expect(reported(plan, 'error')).toEqual([
      expect.stringMatching(/^UNSUPPORTED_CHANGE HTTPSEdgeRoute\/shop:\/: /),
      expect.stringMatching(/^UNSUPPORTED_CHANGE HTTPSEdgeRoute\/shop:\/a: /),
    ]);
  });

  test('a targeted run cannot replace an edge that it does not target', () => {
    const plan = planOf(given({ 'HTTPSEdgeRoute/shop:/': { ...backend, compression: {} } }, two, { whole: false }));
    expect(reported(plan, 'error')).toEqual([expect.stringMatching(/^UNSUPPORTED_CHANGE HTTPSEdgeRoute\/shop:\/: /)]);
    expect(requests(plan)).toEqual([]);
  });
});

describe('why a field differs', () => {
  const old = { 'HTTPSEdge/shop': { ...shop, description: 'old' } };
  const fresh = { 'HTTPSEdge/shop': { ...shop, description: 'new' } };
  const remembered = (description: string) => ({ 'HTTPSEdge/shop': { spec: { ...shop, description } } });

  test.each<[string, Given]>([
    ['changed', { wanted: fresh, ours: old }],
    ['drifted', { wanted: fresh, ours: old, state: remembered('new') }],
    ['both', { wanted: fresh, ours: old, state: remembered('older') }],
    ['unknown', { wanted: fresh, ours: old, state: 'lost' }],
  ])('%s', (reason, given) => {
    expect(reasons(planOf(given), 'HTTPSEdge/shop')).toEqual([`${reason} description`]);
  });

  test('what is remembered of another id proves nothing about this one', () => {
    const state = {
      'HTTPSEdge/shop': { ...remembered('older')['HTTPSEdge/shop'], id: 'edghts_before', nonce: 'older' },
    };
    const plan = planOf({ wanted: fresh, ours: old, state });
    expect(reasons(plan, 'HTTPSEdge/shop')).toEqual(['unknown description']);
    expect(changeOf(planOf({ wanted: old, ours: old, state }), 'HTTPSEdge/shop').action).toBe('none');
  });

  test('a lost state changes the plan in nothing but reasons', () => {
    const given: Given = {
      wanted: { ...fresh, 'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth }, 'HTTPSEdgeRoute/shop:/new': backend },
      ours: { ...old, 'HTTPSEdgeRoute/shop:/': backend, 'HTTPSEdgeRoute/shop:/gone': backend },
    };
    const [kept, lost] = [planOf(given), planOf({ ...given, state: 'lost' })];
    expect(requests(lost)).toEqual(requests(kept));
    expect(order(lost)).toEqual(order(kept));
    expect(changes(lost)).toEqual(changes(kept));
  });
});

describe('a CA made anew', () => {
  const pem = (n: number) => ({ ca_pem: `pem ${String(n)}` });
  const trusting = (name: string) => ({
    [`HTTPSEdge/${name}`]: {
      hostports: [`${name}.example.com:443`],
      mutual_tls: { certificate_authority_ids: [to('CertificateAuthority/partners')] },
    },
  });

  test('is there before edges trust it, and the old one goes when no edge does any more', () => {
    const edges = { ...trusting('api'), ...trusting('shop') };
    const plan = planOf({
      wanted: { 'CertificateAuthority/partners': pem(2), ...edges },
      ours: { 'CertificateAuthority/partners': pem(1), ...edges },
    });
    expect(changes(plan)).toEqual(['± CertificateAuthority/partners', '~ HTTPSEdge/api', '~ HTTPSEdge/shop']);
    expect(order(plan)).toEqual([
      'CertificateAuthority/partners create',
      'HTTPSEdge/api update <- CertificateAuthority/partners create',
      'HTTPSEdge/shop update <- CertificateAuthority/partners create',
      'CertificateAuthority/partners delete <- CertificateAuthority/partners create, HTTPSEdge/api update, HTTPSEdge/shop update',
    ]);
    expect(requests(plan)[1]).toBe(
      'PATCH /edges/https/edghts_api {"mutual_tls":{"certificate_authority_ids":[{CertificateAuthority/partners}]}}',
    );
  });

  test('under documented takes its edges along', () => {
    const plan = planOf({
      profile: 'documented',
      wanted: { 'CertificateAuthority/partners': pem(2), ...trusting('api') },
      ours: { 'CertificateAuthority/partners': pem(1), ...trusting('api') },
    });
    expect(order(plan)).toEqual([
      'CertificateAuthority/partners create',
      'HTTPSEdge/api delete <- CertificateAuthority/partners create',
      'HTTPSEdge/api create <- CertificateAuthority/partners create, HTTPSEdge/api delete',
      'CertificateAuthority/partners delete <- CertificateAuthority/partners create, HTTPSEdge/api delete',
    ]);
  });
});

describe('targeted runs', () => {
  const both = { 'HTTPSEdge/shop': shop, 'HTTPSEdge/api': { hostports: ['api.example.com:443'] } };

  test('delete nothing, and report that', () => {
    const plan = planOf({ wanted: edge, ours: both, whole: false });
    expect(changes(plan)).toEqual([]);
    expect(reported(plan)).toEqual(['DELETES_SKIPPED : resources that are not targeted are not deleted']);
  });

  test('delete what a target names, with what lives inside', () => {
    const ours = { ...both, 'HTTPSEdgeRoute/api:/': backend };
    const plan = planOf({ ours, whole: false, input: { targets: ['HTTPSEdge/api'] } });
    expect(changes(plan)).toEqual(['- HTTPSEdge/api', '- HTTPSEdgeRoute/api:/ with HTTPSEdge/api']);
    expect(reported(plan, 'error')).toEqual([]);
  });

  test('read from the account what they refer to', () => {
    const plan = planOf({ wanted: { 'HTTPSEdgeRoute/shop:/': backend }, ours: both, whole: false });
    expect(requests(plan)[0]).toMatch(/^POST \/edges\/https\/edghts_shop\/routes /);
  });

  test('cannot refer to what is not there', () => {
    const plan = planOf({ wanted: { 'HTTPSEdgeRoute/new:/': backend }, ours: both, whole: false });
    expect(reported(plan, 'error')).toEqual([
      'UNRESOLVED_REFERENCE HTTPSEdgeRoute/new:/: refers to HTTPSEdge/new, which does not exist',
    ]);
  });

  test('forget what is gone only where it is named', () => {
    const state = { 'HTTPSEdge/old': {} };
    expect(changes(planOf({ state, whole: false }))).toEqual([]);
    expect(changes(planOf({ state, whole: false, input: { targets: ['HTTPSEdge/old'] } }))).toEqual([
      '. HTTPSEdge/old',
    ]);
  });
});

test('a resource that carries no marker is blocked by what state remembers of it', () => {
  const plan = planOf({
    ours: edge,
    markers: { 'HTTPSEdge/shop': undefined },
    state: { 'HTTPSEdge/shop': { protect: true } },
  });
  expect(blocked(plan)).toEqual(['PROTECTED HTTPSEdge/shop']);
});
