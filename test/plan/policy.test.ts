import { describe, expect, test } from 'vitest';
import { planStack } from '../../src/plan/plan.ts';
import {
  backend,
  blocked,
  changeOf,
  changes,
  hazards,
  inputOf,
  oauth,
  planOf,
  requests,
  reported,
  type Given,
} from './support.ts';

const edge = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
const route = { 'HTTPSEdgeRoute/shop:/': backend };

describe('protection', () => {
  const free = { 'HTTPSEdge/shop': { protect: false } };
  const restricted = { 'HTTPSEdge/shop': { protect: true } };

  test.each<[string, Given]>([
    ['as state remembers', { ours: edge, state: restricted }],
    ['as the marker says', { ours: edge, markers: { 'HTTPSEdge/shop': { p: 'p' } } }],
    [
      'as the marker says, when state is lost',
      { ours: edge, state: 'lost', markers: { 'HTTPSEdge/shop': { p: 'p' } } },
    ],
    [
      'though the manifest has let go, as long as that is not applied',
      {
        profile: 'documented',
        wanted: { 'HTTPSEdge/shop': { description: 'new' } },
        ours: edge,
        state: restricted,
        lifecycle: free,
      },
    ],
    [
      'as the manifest says, against a replacement',
      {
        profile: 'documented',
        wanted: { 'HTTPSEdge/shop': { description: 'new' } },
        ours: edge,
        lifecycle: restricted,
      },
    ],
  ])('holds %s', (_what, given) => {
    const plan = planOf(given);
    expect(blocked(plan)).toEqual(['PROTECTED HTTPSEdge/shop']);
    expect(requests(plan).length).toBeGreaterThan(0);
  });

  test('of an address holds unless the manifest says otherwise', () => {
    expect(blocked(planOf({ ours: { 'ReservedAddr/db': {} } }))).toEqual(['PROTECTED ReservedAddr/db']);
    const plan = planOf({ ours: { 'ReservedAddr/db': {} }, lifecycle: { 'ReservedAddr/db': { protect: false } } });
    expect(blocked(plan)).toEqual([]);
    expect(hazards(plan)).toEqual(['LOSES_ADDRESS ReservedAddr/db: a deleted address cannot be recovered']);
  });

  test('of an address holds from its manifest, where neither state nor the marker has it', () => {
    const plan = planOf({
      wanted: { 'ReservedAddr/db': { region: 'eu' } },
      ours: { 'ReservedAddr/db': { region: 'us' } },
      state: { 'ReservedAddr/db': { protect: false } },
      markers: { 'ReservedAddr/db': { p: '' } },
    });
    expect(blocked(plan)).toEqual(['PROTECTED ReservedAddr/db']);
  });

  test('is let go by a change of the marker alone', () => {
    const plan = planOf({
      wanted: edge,
      ours: edge,
      state: restricted,
      markers: { 'HTTPSEdge/shop': { p: 'p' } },
      lifecycle: free,
    });
    expect(changes(plan)).toEqual(['~ HTTPSEdge/shop marker']);
    expect(blocked(plan)).toEqual([]);
  });

  test('that was let go is not held up by a marker that nobody can write again', () => {
    const given: Given = { profile: 'documented', ours: edge, markers: { 'HTTPSEdge/shop': { p: 'p' } } };
    expect(blocked(planOf(given))).toEqual([]);
    expect(blocked(planOf({ ...given, state: 'lost' }))).toEqual(['PROTECTED HTTPSEdge/shop']);
  });

  test('of what lives inside holds the whole', () => {
    const plan = planOf({ ours: { ...edge, ...route }, state: { 'HTTPSEdgeRoute/shop:/': { protect: true } } });
    expect(blocked(plan)).toEqual(['CONTAINS_PROTECTED HTTPSEdge/shop', 'PROTECTED HTTPSEdgeRoute/shop:/']);
  });

  test('what lives inside and is to be retained holds the whole too', () => {
    const plan = planOf({ ours: { ...edge, ...route }, state: { 'HTTPSEdgeRoute/shop:/': { retain: true } } });
    expect(blocked(plan)).toEqual(['CONTAINS_PROTECTED HTTPSEdge/shop']);
  });

  test('what lives inside and is to be retained once its manifest is removed does not hold a replacement', () => {
    const plan = planOf({
      profile: 'documented',
      wanted: { 'HTTPSEdge/shop': { description: 'new' }, ...route },
      ours: { ...edge, ...route },
      lifecycle: { 'HTTPSEdgeRoute/shop:/': { on_remove: 'retain' } },
      state: { 'HTTPSEdgeRoute/shop:/': { retain: true } },
    });
    expect(blocked(plan)).toEqual([]);
  });
});

describe('what is not ours', () => {
  const foreign = { 'HTTPSEdgeRoute/shop:/theirs': { ...backend, ...oauth } };

  test('is shown, with its match and whether it has access control', () => {
    expect(reported(planOf({ wanted: edge, ours: edge, foreign }))).toEqual([
      'UNMANAGED_CHILD HTTPSEdge/shop: HTTPSEdgeRoute edghtsrt_shop-theirs at /theirs, with access control of its own, is unmanaged; sluice does not change it',
    ]);
  });

  test('is shown however much there is', () => {
    const input = inputOf({ wanted: edge, ours: edge, foreign });
    const inside = Array.from({ length: 150_000 }, () => input.account.foreign).flat();
    const { diagnostics } = planStack({ ...input, account: { ...input.account, foreign: inside } });
    expect(diagnostics).toHaveLength(inside.length);
  });

  test('is shown with the stack that it belongs to', () => {
    const markers = { 'HTTPSEdgeRoute/shop:/theirs': { s: 'web/00000001' } };
    expect(reported(planOf({ wanted: edge, ours: edge, foreign, markers }))).toEqual([
      'UNMANAGED_CHILD HTTPSEdge/shop: HTTPSEdgeRoute edghtsrt_shop-theirs at /theirs, with access control of its own, belongs to the stack web/00000001; sluice does not change it',
    ]);
    expect(planOf({ ours: edge, foreign, markers }).changes[0]?.blocked?.message).toContain(
      'edghtsrt_shop-theirs at /theirs (of the stack web/00000001);',
    );
  });

  test('keeps the edge it lives in from being deleted or made anew', () => {
    const gone = planOf({ ours: edge, foreign });
    expect(blocked(gone)).toEqual(['CONTAINS_UNMANAGED HTTPSEdge/shop']);
    expect(gone.changes[0]?.blocked?.message).toBe(
      '1 unmanaged resource inside the resource would be deleted as well: HTTPSEdgeRoute edghtsrt_shop-theirs at /theirs; delete them in the service, or add manifests and import them',
    );
    const anew = planOf({
      profile: 'documented',
      wanted: { 'HTTPSEdge/shop': { description: 'new' } },
      ours: edge,
      foreign,
    });
    expect(blocked(anew)).toEqual(['CONTAINS_UNMANAGED HTTPSEdge/shop']);
  });
});

describe('max_deletes', () => {
  const many = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `EventSubscription/s${String(n).padStart(2, '0')}`,
        { sources: [{ type: 'a' }] },
      ]),
    );
  const losing = (lost: number, of: number, maxDeletes: { count: number } | { percent: number }): Given => ({
    ours: many(of),
    wanted: many(of - lost),
    policy: { maxDeletes, block: [] },
  });

  test.each<[string, number, number, { count: number } | { percent: number }, boolean]>([
    ['as many as the number', 2, 3, { count: 2 }, false],
    ['one more', 3, 3, { count: 2 }, true],
    ['none', 1, 1, { count: 0 }, true],
    ['all of nine under a percentage', 9, 9, { percent: 25 }, false],
    ['a quarter of twelve', 3, 12, { percent: 25 }, false],
    ['more than a quarter of ten', 3, 10, { percent: 25 }, true],
  ])('%s', (_what, lost, of, maxDeletes, isTooMany) => {
    const plan = planOf(losing(lost, of, maxDeletes));
    expect(blocked(plan)).toHaveLength(isTooMany ? lost : 0);
    expect(hazards(plan)).toHaveLength(isTooMany ? 1 : 0);
    expect(changes(plan)).toHaveLength(lost);
  });

  test.each<[{ count: number } | { percent: number }, number, number, string]>([
    [
      { count: 2 },
      3,
      3,
      '3 deletions in one plan: policy.max_deletes allows 2; restore manifests that are missing, or raise the limit',
    ],
    [
      { percent: 25 },
      4,
      12,
      '4 deletions in one plan: policy.max_deletes allows 3 (25% of 12, rounded down); restore manifests that are missing, or raise the limit',
    ],
  ])('says its limit: %j', (maxDeletes, lost, of, message) => {
    const plan = planOf(losing(lost, of, maxDeletes));
    expect(plan.changes.flatMap((change) => change.blocked?.message ?? [])[0]).toBe(message);
  });

  test('does not count for a run that means to delete everything', () => {
    expect(blocked(planOf({ ...losing(9, 9, { count: 0 }), input: { destroying: true } }))).toEqual([]);
  });

  test('counts what goes with something else, and what is made anew', () => {
    const policy = { maxDeletes: { count: 1 }, block: [] };
    expect(blocked(planOf({ ours: { ...edge, ...route }, policy }))).toHaveLength(2);
    const wanted = { 'HTTPSEdge/shop': { description: 'new' }, ...route };
    expect(blocked(planOf({ profile: 'documented', wanted, ours: { ...edge, ...route }, policy }))).toHaveLength(2);
  });
});

describe('what is not deleted because it is protected', () => {
  const protectedOne: Given = {
    ...{ policy: { maxDeletes: { count: 1 }, block: [] } },
    ours: { 'EventSubscription/a': { sources: [{ type: 'a' }] }, 'EventSubscription/b': { sources: [{ type: 'a' }] } },
    state: { 'EventSubscription/b': { protect: true } },
  };

  test('does not count against max_deletes', () => {
    expect(blocked(planOf(protectedOne))).toEqual(['PROTECTED EventSubscription/b']);
    expect(hazards(planOf(protectedOne))).toEqual([]);
  });

  test('nor does what is deleted together with it', () => {
    const policy = { maxDeletes: { count: 0 }, block: [] };
    const plan = planOf({ ours: { ...edge, ...route }, state: { 'HTTPSEdge/shop': { protect: true } }, policy });
    expect(blocked(plan)).toEqual(['PROTECTED HTTPSEdge/shop']);
  });

  test('is not in the number that the hazard shows', () => {
    const policy = { maxDeletes: { count: 0 }, block: [] };
    const plan = planOf({ ...protectedOne, policy });
    expect(plan.hazards.map(({ message }) => message)).toEqual([
      '1 managed resource would be deleted; policy.max_deletes allows none',
    ]);
  });
});

describe('what is remembered of a resource that nobody wants any more', () => {
  test.each<[string, Given['state'], string, boolean, boolean]>([
    ['in the marker alone', 'lost', 'pr', true, true],
    ['in state alone', { 'HTTPSEdge/shop': { protect: true, retain: true } }, '', true, true],
    ['nowhere', 'lost', '', false, false],
  ])('is kept in its change: %s', (_where, state, p, protect, retain) => {
    const plan = planOf({ ours: edge, markers: { 'HTTPSEdge/shop': { p } }, ...(state && { state }) });
    expect(changeOf(plan, 'HTTPSEdge/shop')).toMatchObject({ protect, retain });
  });
});

describe('policy.block', () => {
  const given: Given = {
    wanted: { ...edge, ...route },
    ours: { ...edge, 'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth } },
    policy: { maxDeletes: { count: 9 }, block: ['OPENS_ACCESS'] },
  };

  test('refuses a hazard by name, and shows the change all the same', () => {
    const plan = planOf(given);
    expect(blocked(plan)).toEqual(['POLICY HTTPSEdgeRoute/shop:/']);
    expect(changeOf(plan, 'HTTPSEdgeRoute/shop:/').blocked?.message).toBe(
      'OPENS_ACCESS requires --allow OPENS_ACCESS: `policy.block` lists the hazard',
    );
    expect(requests(plan)).toEqual(['DELETE /edges/https/edghts_shop/routes/edghtsrt_shop/oauth']);
  });

  test('names every hazard that must be allowed, so that nobody is refused twice', () => {
    const policy = { maxDeletes: { count: 9 }, block: ['OPENS_ACCESS', 'EXPOSES_PUBLICLY'] } as const;
    expect(changeOf(planOf({ ...given, policy }), 'HTTPSEdgeRoute/shop:/').blocked?.message).toBe(
      'EXPOSES_PUBLICLY requires --allow EXPOSES_PUBLICLY: `policy.block` lists the hazard; OPENS_ACCESS requires --allow OPENS_ACCESS: `policy.block` lists the hazard',
    );
  });

  test('is named with an access rule that is broken as well', () => {
    const rules = [
      { name: 'shop', urls: ['shop.example.com/*'], require: ['authentication' as const], exceptMethods: [] },
    ];
    const policy = {
      maxDeletes: { count: 9 },
      block: ['OPENS_ACCESS' as const],
      access: [{ source: 'repository' as const, rules, exceptions: [], strict: false }],
    };
    expect(changeOf(planOf({ ...given, policy }), 'HTTPSEdgeRoute/shop:/').blocked?.message).toBe(
      'OPENS_ACCESS requires --allow OPENS_ACCESS: `policy.block` lists the hazard; access rule shop requires --allow rule:shop',
    );
  });

  test('gives way to a person who allows it', () => {
    expect(blocked(planOf({ ...given, input: { allow: ['OPENS_ACCESS'] } }))).toEqual([]);
  });

  const ca = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIJjIbroJkak329vP7z36PpVOQifX5y76A+H0/pjS6zj';
  const certificate = (principals: string[]) => ({
    'SSHHostCertificate/bastion': { ssh_certificate_authority_id: 'sshca_1', public_key: ca, principals },
  });
  const everyHazard: [string, Given, string][] = [
    ['OPENS_ACCESS', given, 'HTTPSEdgeRoute/shop:/'],
    [
      'LOSES_ADDRESS',
      { ours: { 'ReservedAddr/db': {} }, lifecycle: { 'ReservedAddr/db': { protect: false } } },
      'ReservedAddr/db',
    ],
    ['INTERRUPTS_TRAFFIC', { ours: { ...edge, ...route } }, 'HTTPSEdge/shop'],
    [
      'REISSUES_CREDENTIAL',
      { ours: certificate(['a.example.com', 'b.example.com']), wanted: certificate(['a.example.com']) },
      'SSHHostCertificate/bastion',
    ],
    [
      'ADOPTS_EXISTING',
      { wanted: edge, foreign: edge, lifecycle: { 'HTTPSEdge/shop': { adopt: 'edghts_shop' } } },
      'HTTPSEdge/shop',
    ],
  ];

  test.each(everyHazard)('refuses %s, and lets it through when it is allowed', (code, stack, address) => {
    const policy = { maxDeletes: { count: 9 }, block: [code] };
    const plan = planOf({ ...stack, policy });
    expect(blocked(plan)).toEqual([`POLICY ${address}`]);
    expect(changeOf(plan, address).blocked?.message).toBe(
      `${code} requires --allow ${code}: \`policy.block\` lists the hazard`,
    );
    expect(blocked(planOf({ ...stack, policy, input: { allow: [code] } }))).toEqual([]);
    expect(blocked(planOf({ ...stack, policy: { ...policy, block: [] } }))).toEqual([]);
  });

  test('wants each of several hazards allowed by its own name', () => {
    const policy = { maxDeletes: { count: 9 }, block: ['OPENS_ACCESS', 'INTERRUPTS_TRAFFIC'] };
    const both: Given = {
      ours: { ...edge, ...given.ours, 'HTTPSEdge/api': { hostports: ['api.example.com:443'] } },
      wanted: { ...edge, ...route },
      policy,
    };
    const opens = 'POLICY HTTPSEdgeRoute/shop:/';
    const stops = 'POLICY HTTPSEdge/api';
    expect(blocked(planOf(both)).sort()).toEqual([stops, opens]);
    expect(blocked(planOf({ ...both, input: { allow: ['OPENS_ACCESS'] } }))).toEqual([stops]);
    expect(blocked(planOf({ ...both, input: { allow: ['INTERRUPTS_TRAFFIC'] } }))).toEqual([opens]);
    expect(blocked(planOf({ ...both, input: { allow: policy.block } }))).toEqual([]);
  });

  test('cannot be lifted for more deletions than max_deletes allows: that number is the policy (law 7)', () => {
    const policy = { maxDeletes: { count: 0 }, block: ['MANY_DELETES'] };
    for (const allow of [[], ['MANY_DELETES']])
      expect(blocked(planOf({ ours: edge, policy, input: { allow } }))).toEqual(['MAX_DELETES HTTPSEdge/shop']);
  });
});
