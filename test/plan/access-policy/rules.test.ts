import { describe, expect, test } from 'vitest';
import type {
  AccessException,
  AccessRule,
  AccessRules,
  RuleVerdict,
} from '../../../src/model/exposure/access-rules.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import type { Policy } from '../../../src/model/stack.ts';
import { findingMessage } from '../../../src/plan/access-policy/finding-message.ts';
import { kinds } from '../../../src/kinds/index.ts';
import { rulesOfManifests } from '../../../src/plan/access-policy/manifest-rules.ts';
import { backend, idOf, inputOf, ipRestriction, oauth, order, planOf, to, type Given, type Specs } from '../support.ts';

const named = { oauth: { provider: { google: { email_domains: ['example.com'] } } } };
const edge = { hostports: ['shop.example.com:443'] };
const admin: AccessRule = {
  name: 'admin',
  urls: ['*.example.com/admin*'],
  require: ['named_users'],
  exceptMethods: [],
};
const today = Date.parse('2026-11-22T12:00:00Z');

function policy(rules: readonly AccessRule[] = [admin], more: Partial<AccessRules> = {}): Policy {
  const set: AccessRules = { source: 'repository', rules, exceptions: [], strict: false, ...more };
  return { maxDeletes: { count: 100 }, block: [], access: [set] };
}

function planned(given: Given): Plan {
  return planOf({ policy: policy(), ...given, input: { now: today, ...given.input } });
}

/** Each verdict in a line, with what shows it. */
function lines(verdicts: readonly RuleVerdict[] = []): string[] {
  return verdicts.flatMap((verdict) =>
    verdict.findings.length === 0
      ? [`${verdict.rule} ${verdict.verdict}`]
      : verdict.findings.map((finding) => findingMessage(verdict, finding)),
  );
}

function blocked({ changes }: Plan): string[] {
  return changes.flatMap((change) =>
    change.blocked === undefined ? [] : [`${change.address} ${change.blocked.message}`],
  );
}

describe('a plan', () => {
  const ours: Specs = {
    'HTTPSEdge/shop': edge,
    'HTTPSEdgeRoute/shop:/': backend,
    'HTTPSEdgeRoute/shop:/admin': { ...backend, ...named },
  };

  test('proves a rule that holds for every request', () => {
    const { rules } = planned({ ours, wanted: ours });
    expect(rules).toMatchObject([{ rule: 'admin', verdict: 'holds', now: 'holds', isBreach: false, causes: [] }]);
  });

  test('that breaks a rule shows a request and is blocked until the rule is allowed by name', () => {
    const wanted = { ...ours, 'HTTPSEdgeRoute/shop:/admin': { ...backend, ...oauth } };
    const plan = planned({ ours, wanted });
    expect(lines(plan.rules)).toEqual([
      'access rule admin is broken: GET https://shop.example.com/admin/x reaches HTTPSEdgeRoute/shop:/admin without authentication of named users',
    ]);
    expect(blocked(plan)).toEqual(['HTTPSEdgeRoute/shop:/admin access rule admin requires --allow rule:admin']);
    expect(blocked(planned({ ours, wanted, input: { allow: ['rule:admin'] } }))).toEqual([]);
  });

  test('that takes a route away leaves its requests to one without what the rule requires', () => {
    const wanted = { 'HTTPSEdge/shop': edge, 'HTTPSEdgeRoute/shop:/': backend };
    const plan = planned({ ours, wanted });
    expect(lines(plan.rules)).toEqual([expect.stringContaining('reaches HTTPSEdgeRoute/shop:/ without')]);
    expect(blocked(plan)).toEqual(['HTTPSEdgeRoute/shop:/admin access rule admin requires --allow rule:admin']);
  });

  describe('whose routes trade a match, with one in between that requires less', () => {
    const rest = { 'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth } };
    const before: Specs = {
      'HTTPSEdge/shop': edge,
      'HTTPSEdgeRoute/shop:one': { match: '/admin', ...backend, ...named },
    };
    const after: Specs = {
      'HTTPSEdge/shop': edge,
      'HTTPSEdgeRoute/shop:one': { match: '/other', ...backend, ...named },
      'HTTPSEdgeRoute/shop:two': { match: '/admin', ...backend, ...named },
    };

    test('keeps the rule throughout: that route loses its backend first, and gets it back at the end', () => {
      const plan = planned({ ours: { ...before, ...rest }, wanted: { ...after, ...rest } });
      expect(order(plan)[0]).toBe('HTTPSEdgeRoute/shop:/ prepare remove backend');
      expect(lines(plan.rules)).toEqual(['admin holds']);
      expect(blocked(plan)).toEqual([]);
    });

    test('shows the request and is blocked where that route is not managed, until the rule is allowed', () => {
      const given = { ours: before, foreign: rest, wanted: after };
      const plan = planned(given);
      expect(lines(plan.rules)).toEqual([
        'access rule admin is temporarily broken during the apply: GET https://shop.example.com/admin/x reaches unmanaged edghtsrt_shop without authentication of named users; the API allows no other order of changes',
      ]);
      expect(plan.rules).toMatchObject([{ verdict: 'broken', now: 'holds', causes: ['HTTPSEdgeRoute/shop:one'] }]);
      expect(blocked(plan)).toEqual(['HTTPSEdgeRoute/shop:one access rule admin requires --allow rule:admin']);
      expect(blocked(planned({ ...given, input: { allow: ['rule:admin'] } }))).toEqual([]);
    });

    test('needs no such step without the rule', () => {
      const given = { ours: { ...before, ...rest }, wanted: { ...after, ...rest }, policy: policy([]) };
      expect(order(planned(given))).toHaveLength(2);
    });
  });

  test('that changes something else is not blocked by a rule that is broken already, and a repair is not either', () => {
    const broken = { ...ours, 'HTTPSEdgeRoute/shop:/admin': backend };
    const elsewhere = planned({
      ours: broken,
      wanted: { ...broken, 'HTTPSEdgeRoute/shop:/new': { ...backend, ...oauth } },
    });
    expect(elsewhere.rules).toMatchObject([{ verdict: 'broken', now: 'broken', causes: [] }]);
    expect(blocked(elsewhere)).toEqual([]);
    const repair = planned({ ours: broken, wanted: ours });
    expect(repair.rules).toMatchObject([{ verdict: 'holds', now: 'broken' }]);
    expect(blocked(repair)).toEqual([]);
  });

  test('that changes requests and leaves a rule broken for them is blocked', () => {
    const broken = { ...ours, 'HTTPSEdgeRoute/shop:/admin': backend };
    const wanted = { ...ours, 'HTTPSEdgeRoute/shop:/admin': { ...backend, ...ipRestriction } };
    expect(blocked(planned({ ours: broken, wanted }))).toHaveLength(1);
  });

  test('is blocked by a rule of the operator whatever is allowed', () => {
    const wanted = { ...ours, 'HTTPSEdgeRoute/shop:/admin': backend };
    const plan = planned({
      ours,
      wanted,
      policy: policy([admin], { source: 'operator' }),
      input: { allow: ['rule:admin', 'OPENS_ACCESS', 'EXPOSES_PUBLICLY'] },
    });
    expect(plan.changes.flatMap((change) => change.blocked ?? [])).toEqual([
      { code: 'OPERATOR_POLICY', message: 'access rule admin (set by the operator policy) does not allow the change' },
    ]);
  });

  test('is blocked where something becomes public that the operator does not list', () => {
    const wanted = { ...ours, 'HTTPSEdgeRoute/shop:/open': backend, 'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth } };
    const plan = planned({ ours, wanted, policy: policy([], { source: 'operator', public: ['shop.example.com/'] }) });
    expect(lines(plan.rules)).toEqual([
      'access.public (set by the operator policy) is broken: GET https://shop.example.com/open/x is public, but `access.public` does not list it',
    ]);
    expect(blocked(plan)).toHaveLength(1);
  });

  test('that breaks a rule for any other Host header shows one that a client can send', () => {
    const wanted = { ...ours, 'HTTPSEdgeRoute/shop:shop.example.com/': { ...backend, ...named } };
    const open = { ...wanted, 'HTTPSEdgeRoute/shop:/admin': backend };
    expect(lines(planned({ ours: wanted, wanted: open }).rules)).toEqual([
      'access rule admin is broken: GET https://any.example/admin/x at shop.example.com:443 reaches HTTPSEdgeRoute/shop:/admin without authentication of named users',
    ]);
  });

  test('covers unmanaged routes on edges of the stack', () => {
    const plan = planned({ ours, wanted: ours, foreign: { 'HTTPSEdgeRoute/shop:/admin/new': backend } });
    expect(lines(plan.rules)).toEqual([
      expect.stringContaining('GET https://shop.example.com/admin/new/x reaches unmanaged '),
    ]);
  });

  test('is not broken by what edges of others serve, also where these take requests before or after the plan', () => {
    const foreign = { 'HTTPSEdge/all': { hostports: ['*.example.com:443'] }, 'HTTPSEdgeRoute/all:/': backend };
    for (const given of [{ wanted: ours }, { ours, wanted: {} }]) {
      const plan = planned({ ...given, foreign, policy: policy([admin], { source: 'operator' }) });
      expect(plan.rules).toMatchObject([{ verdict: 'holds', now: 'holds', breachesNow: [] }]);
      expect(blocked(plan)).toEqual([]);
    }
  });

  test('is broken by them where a route of the stack is on that edge, before the plan or after it', () => {
    const foreign = { 'HTTPSEdge/all': { hostports: ['*.example.com:443'] }, 'HTTPSEdgeRoute/all:/': backend };
    const guest = { 'HTTPSEdgeRoute/all:/help': { ...backend, edge_id: idOf('HTTPSEdge/all') } };
    for (const given of [
      { ours: { ...ours, ...guest }, wanted: {} },
      { ours, wanted: guest },
    ]) {
      const plan = planned({ ...given, foreign, policy: policy([admin], { source: 'operator' }) });
      expect(plan.rules).toMatchObject([{ verdict: 'broken' }]);
      expect(blocked(plan)).not.toEqual([]);
    }
  });

  test('does not prove what depends on a match whose host is not documented', () => {
    const specs = { 'HTTPSEdge/shop': edge, 'HTTPSEdgeRoute/shop:s*p.example.com/admin': { ...backend, ...named } };
    const open = { ...specs, 'HTTPSEdgeRoute/shop:/': backend };
    expect(planned({ ours: specs, wanted: specs }).rules).toMatchObject([{ verdict: 'holds' }]);
    expect(planned({ ours: open, wanted: open }).rules).toMatchObject([{ verdict: 'unproven', isBreach: false }]);
    const strict = policy([admin], { strict: true });
    expect(planned({ ours: open, wanted: open, policy: strict }).rules).toMatchObject([{ isBreach: true }]);
  });
});

describe('a rule', () => {
  const check = (rule: Partial<AccessRule>, specs: Specs, more: Partial<AccessRules> = {}): string[] =>
    lines(planned({ ours: specs, wanted: specs, policy: policy([{ ...admin, ...rule }], more) }).rules);
  const at = (route: object): Specs => ({
    'HTTPSEdge/shop': edge,
    'HTTPSEdgeRoute/shop:/admin': { ...backend, ...route },
  });
  const passthrough = { oauth: { ...named.oauth, options_passthrough: true } };

  test.each([
    ['authentication is met by any sign-in', { require: ['authentication'] }, oauth, 'holds'],
    ['named_users is not', {}, oauth, 'broken: GET'],
    [
      'nor by two providers of which one names nobody',
      {},
      { oauth: { provider: { ...named.oauth.provider, github: {} } } },
      'broken: GET',
    ],
    ['several are required together', { require: ['authentication', 'network'] }, oauth, 'without an IP restriction'],
    ['signature', { require: ['signature'] }, { webhook_verification: { provider: 'github' } }, 'holds'],
    [
      'network by an empty list is not met',
      { require: ['network'] },
      { ip_restriction: { ip_policy_ids: [] } },
      'broken',
    ],
    ['OPTIONS counts', {}, passthrough, 'broken: OPTIONS https'],
    ['except_methods', { exceptMethods: ['OPTIONS'] }, passthrough, 'holds'],
    ['a method that is not excepted is shown', { exceptMethods: ['GET', 'OPTIONS'] }, {}, 'broken: POST https'],
    ['other URLs do not matter', { urls: ['shop.example.com/a'] }, {}, 'holds'],
    ['another port does not matter', { urls: ['shop.example.com:8443/*'] }, {}, 'holds'],
    ['a disabled control', {}, { oauth: { ...named.oauth, enabled: false } }, 'broken'],
  ] as const)('%s', (_, rule, route, verdict) => {
    expect(check(rule, at(route))).toEqual([expect.stringContaining(verdict)]);
  });

  test('applies to what a wildcard takes, where the host has no hostport of its own', () => {
    const rule = { urls: ['demo.example.com/*'] };
    const wild = { 'HTTPSEdge/all': { hostports: ['*.example.com:443'] }, 'HTTPSEdgeRoute/all:/': backend };
    expect(check(rule, wild)).toEqual([
      expect.stringContaining('GET https://demo.example.com/x reaches HTTPSEdgeRoute/all:/'),
    ]);
    const own = {
      'HTTPSEdge/demo': { hostports: ['demo.example.com:443'] },
      'HTTPSEdgeRoute/demo:/': { ...backend, ...named },
    };
    expect(check(rule, { ...wild, ...own })).toEqual(['admin holds']);
  });

  describe('about a host applies to what arrives there with another Host header', () => {
    const front = (match: string): Specs => ({
      ...at(named),
      'HTTPSEdgeRoute/shop:/': { ...backend, ...named },
      [`HTTPSEdgeRoute/shop:${match}`]: backend,
    });
    const www = { 'HTTPSEdge/www': { hostports: ['www.example.com:443'] }, 'HTTPSEdgeRoute/www:/': backend };

    test('whether the stack serves that other host or not', () => {
      const found = expect.stringContaining(
        'GET https://www.example.com/admin/x at shop.example.com:443 reaches HTTPSEdgeRoute/shop:www.example.com/',
      ) as unknown;
      const rule = { urls: ['shop.example.com/admin*'] };
      for (const specs of [front('www.example.com/'), { ...front('www.example.com/'), ...www }])
        expect(check(rule, specs)).toEqual([found]);
    });

    test('and one about that other host does where the stack does not serve it', () => {
      const rule = { urls: ['www.example.com/admin*'] };
      expect(check(rule, front('www.example.com/'))).toEqual([
        expect.stringContaining('www.example.com/admin/x at shop'),
      ]);
      const own = { ...www, 'HTTPSEdgeRoute/www:/': { ...backend, ...named } };
      expect(check(rule, { ...front('www.example.com/'), ...own })).toEqual(['admin holds']);
    });
  });

  test('is not proved where TLS is terminated upstream', () => {
    const { account, ...input } = inputOf({ ours: at(named), wanted: at(named) });
    const upstream = [...account.ours].map(
      ([address, actual]) =>
        [address, { ...actual, computed: { tls_termination: { terminate_at: 'upstream' } } }] as const,
    );
    const plan = planned({
      ours: at(named),
      wanted: at(named),
      input: { ...input, policy: policy(), account: { ...account, ours: new Map(upstream) }, now: today },
    });
    expect(lines(plan.rules)).toEqual([expect.stringContaining('not proven for GET https://shop.example.com/')]);
  });

  const exception: AccessException = {
    rule: 'admin',
    url: 'shop.example.com/admin',
    reason: 'fair',
    until: '2026-11-22',
  };

  test('does not apply to an exception until its last day is over', () => {
    const exact = { match_type: 'exact_path' };
    expect(check({}, at(exact), { exceptions: [exception] })).toEqual(['admin holds']);
    const ended = { ...exception, until: '2026-11-21' };
    expect(check({}, at(exact), { exceptions: [ended] })).toEqual([expect.stringContaining('broken')]);
    expect(check({}, at({}), { exceptions: [exception] })).toEqual([expect.stringContaining('/admin/x')]);
  });

  test('warns 14 days before an exception ends', () => {
    const specs = at(named);
    const warned = (until: string): string[] =>
      planned({ ours: specs, wanted: specs, policy: policy([admin], { exceptions: [{ ...exception, until }] }) })
        .diagnostics.filter(({ code }) => code === 'ACCESS_EXCEPTION_ENDS')
        .map(({ message }) => message);
    expect(warned('2026-12-05')).toEqual([
      'the exception to access rule admin for shop.example.com/admin ends on 2026-12-05',
    ]);
    expect(warned('2026-12-07')).toEqual([]);
    expect(warned('2026-11-01')).toEqual([expect.stringContaining('ended on 2026-11-01')]);
  });
});

describe('manifests alone', () => {
  const verdicts = (given: Given, rules = [admin], more: Partial<AccessRules> = {}): string[] =>
    lines(
      rulesOfManifests(inputOf(given).desired, {
        access: [{ source: 'repository', rules, exceptions: [], strict: false, ...more }],
        kinds,
        now: today,
      }),
    );

  test('prove and break rules', () => {
    const wanted = { 'HTTPSEdge/shop': edge, 'HTTPSEdgeRoute/shop:/': { ...backend, ...named } };
    expect(verdicts({ wanted })).toEqual(['admin holds']);
    expect(verdicts({ wanted: { ...wanted, 'HTTPSEdgeRoute/shop:/admin/new': backend } })).toEqual([
      'access rule admin is broken: GET https://shop.example.com/admin/new/x reaches HTTPSEdgeRoute/shop:/admin/new without authentication of named users',
    ]);
    expect(verdicts({ wanted: { ...wanted, 'HTTPSEdgeRoute/shop:/b': backend } }, [], { public: [] })).toEqual([
      'access.public is broken: GET https://shop.example.com/b/x is public, but `access.public` does not list it',
    ]);
  });

  test('do not prove what depends on a field that sluice leaves alone', () => {
    const wanted = { 'HTTPSEdge/shop': edge, 'HTTPSEdgeRoute/shop:/': { ...backend, ...named } };
    expect(verdicts({ wanted, lifecycle: { 'HTTPSEdgeRoute/shop:/': { ignore: ['/oauth'] } } })).toEqual([
      expect.stringMatching(/^access rule admin is not proven for GET .*: `oauth` is in lifecycle.ignore \(/),
    ]);
    expect(verdicts({ wanted, lifecycle: { 'HTTPSEdgeRoute/shop:/': { ignore: ['/backend'] } } })).toEqual([
      'admin holds',
    ]);
  });

  test('do not prove what depends on an edge that they do not define', () => {
    const wanted = { 'HTTPSEdgeRoute/shop:/': { ...backend, edge_id: 'edghts_other' } };
    expect(verdicts({ wanted })).toEqual([
      'access rule admin is not proven: `edge_id` is the id of an edge that the manifests do not define (HTTPSEdgeRoute/shop:/)',
    ]);
    expect(verdicts({ wanted: { 'HTTPSEdgeRoute/shop:/a': { ...backend, edge_id: to('HTTPSEdge/shop') } } })).toEqual([
      'access rule admin is not proven: HTTPSEdge/shop is not among the manifests (HTTPSEdgeRoute/shop:/a)',
    ]);
  });
});
