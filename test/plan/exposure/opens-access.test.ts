import { describe, expect, test } from 'vitest';
import { Secret, type SpecObject } from '../../../src/kinds/value.ts';
import { planStack } from '../../../src/plan/plan.ts';
import { hazards, inputOf, planOf, type Specs } from '../support.ts';

const upstream = { backend: { backend_id: 'bkd_app' } };
const google = (more: SpecObject) => ({ oauth: { provider: { google: more } } });
const github = (more: SpecObject) => ({ oauth: { provider: { github: more } } });
const app = (client_id: string) => ({ client_id, client_secret: new Secret('s3cret') });
const session = (more: SpecObject) => ({ oauth: { provider: { google: {} }, ...more } });
const oidc = (more: SpecObject = {}) => ({
  oidc: { issuer: 'https://id.example.com', client_id: 'app', client_secret: new Secret('s3cret'), ...more },
});
const saml = (more: SpecObject = {}) => ({ saml: { idp_metadata: '<EntityDescriptor/>', ...more } });
const ip = (...ids: string[]) => ({ ip_restriction: { ip_policy_ids: ids } });
const agents = (more: SpecObject) => ({ user_agent_filter: more });
const webhook = (more: SpecObject = {}) => ({
  webhook_verification: { provider: 'github', secret: new Secret('s3cret'), ...more },
});
const policy = (value: string) => ({ traffic_policy: { value } });
const off = (modules: Record<string, SpecObject>) =>
  Object.fromEntries(Object.entries(modules).map(([name, module]) => [name, { ...module, enabled: false }]));

/** Whether changing the modules of a route that leads somewhere opens it. */
function opensRoute(before: SpecObject, after: SpecObject): boolean {
  const edge = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
  const route = (modules: SpecObject): Specs => ({ ...edge, 'HTTPSEdgeRoute/shop:/': { ...upstream, ...modules } });
  return hazards(planOf({ ours: route(before), wanted: route(after) })).some((line) => line.startsWith('OPENS_ACCESS'));
}

/** Whether changing an edge, whose only route has no access control of its own, opens it. */
function opensEdge(before: SpecObject, after: SpecObject): boolean {
  const route = { 'HTTPSEdgeRoute/shop:/': upstream };
  const edge = (modules: SpecObject): Specs => ({
    'HTTPSEdge/shop': { hostports: ['shop.example.com:443'], ...modules },
    ...route,
  });
  return hazards(planOf({ ours: edge(before), wanted: edge(after) })).some((line) => line.startsWith('OPENS_ACCESS'));
}

const domains = (...names: string[]) => google({ email_domains: names });
const addresses = (...names: string[]) => google({ email_addresses: names });

describe('opens access:', () => {
  test.each<[string, SpecObject, SpecObject]>([
    ['oauth is removed', google({}), {}],
    ['oauth is switched off', google({}), off(google({}))],
    ['oidc is removed', oidc(), {}],
    ['saml is switched off', saml(), off(saml())],
    ['an IP restriction is removed', ip('ipp_a'), {}],
    ['an IP restriction is switched off', ip('ipp_a'), off(ip('ipp_a'))],
    ['a webhook verification is removed', webhook(), {}],
    ['a user agent filter is removed', agents({ deny: ['curl'] }), {}],
    ['a traffic policy is removed', policy('{"deny":true}'), {}],
    ['one of two access controls is removed', { ...google({}), ...ip('ipp_a') }, ip('ipp_a')],
    ['one of two sign-ins is removed', { ...google({}), ...oidc() }, oidc()],
    ['an access control gives way to one of another class', google({}), ip('ipp_a')],
    ['oauth gives way to oidc', google({}), oidc()],
    ['oidc gives way to saml', oidc(), saml()],
    ['saml gives way to oauth', saml(), google({})],
    ['an e-mail domain is added', domains('a.com'), domains('a.com', 'b.com')],
    ['an e-mail domain is exchanged', domains('a.com'), domains('b.com')],
    ['the last e-mail domain goes', domains('a.com'), domains()],
    ['an e-mail address is added', addresses('ann@a.com'), addresses('ann@a.com', 'bob@a.com')],
    ['a domain gives way to an address of another one', domains('a.com'), addresses('ann@sub.a.com')],
    ['an address gives way to its whole domain', addresses('ann@a.com'), domains('a.com')],
    ['a team is added', github({ teams: ['a/b'] }), github({ teams: ['a/b', 'a/c'] })],
    ['an organization joins a team', github({ teams: ['a/b'] }), github({ teams: ['a/b'], organizations: ['a'] })],
    ['nobody is named any more', github({ teams: ['a/b'], organizations: ['a'] }), github({})],
    ['another provider is asked', google({}), github({})],
    [
      'a second provider is asked',
      domains('a.com'),
      { oauth: { provider: { google: { email_domains: ['a.com'] }, github: {} } } },
    ],
    ['another provider is asked, with a guest list', google({}), github({ teams: ['a/b'] })],
    ['OPTIONS passes oauth', google({}), { oauth: { provider: { google: {} }, options_passthrough: true } }],
    ['OPTIONS passes oidc', oidc(), oidc({ options_passthrough: true })],
    ['OPTIONS passes saml', saml(), saml({ options_passthrough: true })],
    ['another issuer is asked', oidc(), oidc({ issuer: 'https://other.example.com' })],
    ['another app is asked', oidc(), oidc({ client_id: 'other' })],
    ['another OAuth app is asked', google(app('a')), google(app('b'))],
    ['the OAuth app of the service is asked instead', google(app('a')), google({})],
    ['a session may last longer', oidc({ maximum_duration: 60 }), oidc({ maximum_duration: 61 })],
    ['a session lasts as long as the service likes', saml({ maximum_duration: 60 }), saml()],
    ['a session may be idle for longer', saml({ inactivity_timeout: 60 }), saml({ inactivity_timeout: 0 })],
    ['visitors are checked less often', session({ auth_check_interval: 60 }), session({ auth_check_interval: 600 })],
    ['visitors are checked when the service likes', session({ auth_check_interval: 60 }), session({})],
    ['a session lasts for so long, and not as long as the service likes', oidc(), oidc({ maximum_duration: 60 })],
    ['idling is limited for the first time', saml({ inactivity_timeout: 0 }), saml({ inactivity_timeout: 99_999_999 })],
    ['visitors are checked at a time of our own', session({}), session({ auth_check_interval: 60 })],
    ['another identity provider is asked', saml(), saml({ idp_metadata: '<EntityDescriptor entityID="x"/>' })],
    ['a SAML group is added', saml({ authorized_groups: ['a'] }), saml({ authorized_groups: ['a', 'b'] })],
    ['no SAML group is named any more', saml({ authorized_groups: ['a'] }), saml({ authorized_groups: [] })],
    ['an IP policy is added', ip('ipp_a'), ip('ipp_a', 'ipp_b')],
    ['an IP policy is taken from two', ip('ipp_a', 'ipp_b'), ip('ipp_a')],
    ['an IP policy is exchanged', ip('ipp_a'), ip('ipp_b')],
    ['a denied user agent is dropped', agents({ deny: ['curl', 'wget'] }), agents({ deny: ['curl'] })],
    ['a denied user agent is added', agents({ deny: ['curl'] }), agents({ deny: ['curl', 'wget'] })],
    ['an allowed user agent is added', agents({ allow: ['curl'] }), agents({ allow: ['curl', 'wget'] })],
    ['a traffic policy is added', {}, policy('{"forward":true}')],
    ['a traffic policy is switched on', off(policy('{}')), policy('{}')],
    ['a traffic policy joins a sign-in', google({}), { ...google({}), ...policy('{}') }],
    ['a traffic policy changes', policy('{"deny":true}'), policy('{"deny":false}')],
    ['a webhook secret is exchanged', webhook(), webhook({ secret: new Secret('other') })],
    ['another webhook provider signs', webhook(), webhook({ provider: 'gitlab' })],
  ])('%s', (_what, before, after) => {
    expect(opensRoute(before, after)).toBe(true);
  });

  const tls = (version?: string) => ({ tls_termination: version === undefined ? {} : { min_version: version } });
  const mutual = (...ids: string[]) => ({ mutual_tls: { certificate_authority_ids: ids } });
  test.each<[string, SpecObject, SpecObject]>([
    ['mutual TLS is removed', mutual('ca_a'), {}],
    ['mutual TLS is switched off', mutual('ca_a'), off(mutual('ca_a'))],
    ['a CA is added', mutual('ca_a'), mutual('ca_a', 'ca_b')],
    ['a CA is exchanged', mutual('ca_a'), mutual('ca_b')],
    ['the TLS version is lowered', tls('1.3'), tls('1.2')],
    ['the TLS version is one that nobody knows', tls('1.2'), tls('latest')],
    ['TLS termination is removed', tls('1.2'), {}],
    ['a TLS version is set that no safe default is as low as', {}, tls('1.0')],
  ])('%s', (_what, before, after) => {
    expect(opensEdge(before, after)).toBe(true);
  });
});

test('a session that may last longer is named by its field, and restricts nobody', () => {
  const route = (more: SpecObject): Specs => ({
    'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
    'HTTPSEdgeRoute/shop:/': { ...upstream, ...oidc(more) },
  });
  const reported = (before: SpecObject, after: SpecObject): readonly string[] =>
    hazards(planOf({ ours: route(before), wanted: route(after) })).map((line) => line.replace(/^(\w+) .*: /, '$1 '));
  expect(reported({ maximum_duration: 60 }, { maximum_duration: 600 })).toEqual([
    'OPENS_ACCESS `oidc.maximum_duration` is raised',
  ]);
  expect(reported({ maximum_duration: 60 }, {})).toEqual([
    'OPENS_ACCESS `oidc.maximum_duration` may be higher than before, because the new value is unknown',
  ]);
  expect(reported({}, { maximum_duration: 60 })).toEqual([
    'OPENS_ACCESS `oidc.maximum_duration` may be higher than before, because the old value is unknown',
  ]);
  expect(reported({ maximum_duration: 600 }, { maximum_duration: 60 })).toEqual([]);
});

test('a new filter restricts if it has a setting', () => {
  const route = (more: SpecObject): Specs => ({
    'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
    'HTTPSEdgeRoute/shop:/': { ...upstream, ...more },
  });
  const restricts = (filter: SpecObject): readonly string[] =>
    hazards(planOf({ ours: route({}), wanted: route(agents(filter)) }));
  expect(restricts({})).toEqual([]);
  expect(restricts({ deny: ['curl'] })).toEqual([
    'RESTRICTS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… now require user agent filter',
  ]);
});

describe('does not open access:', () => {
  test.each<[string, SpecObject, SpecObject]>([
    ['an access control is added to nothing', {}, google({})],
    ['an access control joins another', google({}), { ...google({}), ...ip('ipp_a') }],
    ['an access control is switched on', off(google({})), google({})],
    ['an access control that was off is removed', off(google({})), {}],
    ['an e-mail domain is dropped from two', domains('a.com', 'b.com'), domains('a.com')],
    ['a guest list is written for what everybody passed', google({}), domains('a.com')],
    ['a domain gives way to one of its addresses', domains('a.com'), addresses('ann@A.com')],
    ['an organization gives way to one of its teams', github({ organizations: ['a'] }), github({ teams: ['A/b'] })],
    ['domains are written in another order', domains('a.com', 'b.com'), domains('b.com', 'a.com')],
    [
      'a domain gives way to nothing beside an address',
      google({ email_domains: ['a.com'], email_addresses: ['x@b.com'] }),
      addresses('x@b.com'),
    ],
    ['a team is dropped from two', github({ teams: ['a/b', 'a/c'] }), github({ teams: ['a/b'] })],
    ['OPTIONS no longer passes', oidc({ options_passthrough: true }), oidc()],
    ['the session gets shorter', oidc({ maximum_duration: 60 }), oidc({ maximum_duration: 59 })],
    ['the default of the service is written', saml(), saml({ inactivity_timeout: 0 })],
    ['a scope is added', oidc({ scopes: ['openid'] }), oidc({ scopes: ['openid', 'email'] })],
    ['a client secret is rotated', oidc(), oidc({ client_secret: new Secret('other') })],
    [
      'a webhook verification with another secret is switched on',
      off(webhook()),
      webhook({ secret: new Secret('other') }),
    ],
    ['a team is spelled otherwise', github({ teams: ['acme/ops'] }), github({ teams: ['Acme/Ops'] })],
    [
      'a team is spelled otherwise beside another change',
      github({ teams: ['acme/ops'] }),
      { oauth: { provider: { github: { teams: ['Acme/Ops'] } }, cookie_prefix: 'x.' } },
    ],
    ['an e-mail domain is spelled otherwise', domains('a.com'), domains('A.com')],
    ['the webhook provider is spelled otherwise', webhook(), webhook({ provider: 'GitHub' })],
    ['a SAML group is dropped from two', saml({ authorized_groups: ['a', 'b'] }), saml({ authorized_groups: ['a'] })],
    ['credentials are asked for again', saml(), saml({ force_authn: true })],
    [
      'an access control says in words that it is on',
      google({}),
      { oauth: { provider: { google: {} }, enabled: true } },
    ],
    ['compression comes on', google({}), { ...google({}), compression: {} }],
    ['headers change', google({}), { ...google({}), request_headers: { add: { 'x-a': 'b' } } }],
    ['a user agent filter without entries is removed', agents({}), {}],
    ['one with empty lists is switched off', agents({ allow: [], deny: [] }), off(agents({}))],
  ])('%s', (_what, before, after) => {
    expect(opensRoute(before, after)).toBe(false);
  });

  const tls = (version: string) => ({ tls_termination: { min_version: version } });
  const mutual = (...ids: string[]) => ({ mutual_tls: { certificate_authority_ids: ids } });
  test.each<[string, SpecObject, SpecObject]>([
    ['mutual TLS is added', {}, mutual('ca_a')],
    ['a CA is dropped from two', mutual('ca_a', 'ca_b'), mutual('ca_a')],
    ['the TLS version is raised', tls('1.2'), tls('1.3')],
  ])('%s', (_what, before, after) => {
    expect(opensEdge(before, after)).toBe(false);
  });
});

test('a certificate for every host opens access', () => {
  const certificate = (principals: string[]): Specs => ({
    'SSHHostCertificate/bastion': {
      ssh_certificate_authority_id: 'sshca_1',
      public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIJjIbroJkak329vP7z36PpVOQifX5y76A+H0/pjS6zj',
      principals,
    },
  });
  const reported = hazards(planOf({ ours: certificate(['bastion.example.com']), wanted: certificate([]) }));
  expect(reported.filter((line) => line.startsWith('OPENS_ACCESS'))).toEqual([
    'OPENS_ACCESS SSHHostCertificate/bastion: `principals`: no entry is left, so access is not restricted',
  ]);
});

test('an access control that is left as it is opens nothing, whatever else of its route changes', () => {
  const route = (backend: string, domain: string): Specs => ({
    'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
    'HTTPSEdgeRoute/shop:/': { backend: { backend_id: backend }, ...domains(domain) },
  });
  const reported = (...ignore: string[]): readonly string[] =>
    hazards(
      planOf({
        ours: route('bkd_1', 'narrow.example'),
        wanted: route('bkd_2', 'example.com'),
        lifecycle: { 'HTTPSEdgeRoute/shop:/': { ignore } },
      }),
    );
  expect(reported().map((line) => line.replace(/ .*/, ''))).toEqual(['OPENS_ACCESS', 'RESTRICTS_ACCESS']);
  expect(reported('/oauth/provider/google/email_domains')).toEqual([]);
  expect(reported('/oauth')).toEqual([]);
});

describe('what is no access control:', () => {
  const shop = { hostports: ['shop.example.com:443'] };
  const certificate = (...ids: string[]) => ({ mutual_tls: { certificate_authority_ids: ids } });
  const reported = (before: SpecObject, after: SpecObject, onEdge: SpecObject): readonly string[] =>
    hazards(
      planOf({
        ours: { 'HTTPSEdge/shop': { ...shop, ...onEdge }, 'HTTPSEdgeRoute/shop:/': before },
        wanted: { 'HTTPSEdge/shop': { ...shop, ...onEdge }, 'HTTPSEdgeRoute/shop:/': after },
      }),
    ).filter((line) => /^(OPENS_ACCESS|EXPOSES_PUBLICLY)/.test(line));
  const nothing = [
    ['a user agent filter', agents({ deny: ['curl'] }), {}],
    ['a traffic policy', policy('{"deny":true}'), {}],
    ['TLS termination', {}, { tls_termination: { min_version: '1.3' } }],
    ['mutual TLS without an authority', {}, certificate()],
    ['an IP restriction without a policy', ip(), {}],
    ['a webhook verification that is off', off(webhook()), {}],
  ] as const;

  test.each<readonly [string, SpecObject, SpecObject]>(nothing)(
    'a route that gets its backend beside %s opens',
    (_what, own, onEdge) => {
      expect(reported(own, { ...upstream, ...own }, onEdge)).toEqual([
        `EXPOSES_PUBLICLY HTTPSEdge/shop: https://shop.example.com/… becomes public: anyone can reach ${
          'traffic_policy' in own ? 'its backend, not only its traffic policy' : 'it'
        }`,
      ]);
    },
  );

  test.each<readonly [string, SpecObject, SpecObject]>(nothing)(
    'a route that loses its oauth beside %s opens, with its backend or before it gets one',
    (_what, own, onEdge) => {
      expect(reported({ ...upstream, ...google({}), ...own }, { ...upstream, ...own }, onEdge)).toHaveLength(2);
      expect(reported({ ...google({}), ...own }, { ...upstream, ...own }, onEdge)).not.toEqual([]);
    },
  );

  test.each<readonly [string, SpecObject, SpecObject]>([
    ['oauth', google({}), {}],
    ['a webhook verification', webhook(), {}],
    ['an IP restriction', ip('ipp_a'), {}],
    ['mutual TLS', {}, certificate('ca_a')],
  ])('a route that gets its backend beside %s opens nothing', (_what, own, onEdge) => {
    expect(reported(own, { ...upstream, ...own }, onEdge)).toEqual([]);
  });

  test('mutual TLS that loses its last authority, or an IP restriction its last policy, opens', () => {
    expect(opensEdge(certificate('ca_a'), certificate())).toBe(true);
    expect(opensEdge(certificate(), certificate('ca_a'))).toBe(false);
    expect(opensRoute(ip('ipp_a'), ip())).toBe(true);
  });
});

describe('a wildcard', () => {
  const any = (modules: SpecObject, hostport = '*.example.com:443'): Specs => ({
    'HTTPSEdge/any': { hostports: [hostport] },
    'HTTPSEdgeRoute/any:/': { ...upstream, ...modules },
  });
  const shop = (modules: SpecObject, hostport = 'shop.example.com:443'): Specs => ({
    'HTTPSEdge/shop': { hostports: [hostport] },
    'HTTPSEdgeRoute/shop:/': { ...upstream, ...modules },
  });
  const reported = (ours: Specs, wanted: Specs): readonly string[] =>
    hazards(planOf({ ours, wanted })).filter((line) => line.startsWith('OPENS_ACCESS'));

  test('that is open inherits the requests of a deleted edge that asked for something', () => {
    expect(reported({ ...any({}), ...shop(google({})) }, any({}))).toEqual([
      'OPENS_ACCESS HTTPSEdge/shop: requests to https://shop.example.com/… are no longer subject to authentication',
    ]);
  });

  test('that is open inherits those of a hostport that is given up', () => {
    const emptied = { ...shop(google({})), 'HTTPSEdge/shop': { hostports: [] } };
    expect(reported({ ...any({}), ...shop(google({})) }, { ...any({}), ...emptied })).toHaveLength(1);
  });

  test('that comes over nothing but what an exact hostport has opens nothing of it, but its backend', () => {
    expect(reported(shop(google({})), { ...shop(google({})), ...any({}) })).toEqual([
      expect.stringContaining('requests to https://*.example.com/… reach the backend bkd_app without authentication'),
    ]);
  });

  test('that asks for something loses requests to an open edge', () => {
    expect(reported(any(google({})), { ...any(google({})), ...shop({}) })).toEqual([
      expect.stringContaining('requests to https://shop.example.com/… are no longer subject to authentication'),
    ]);
  });

  test('that is longer goes before a shorter one', () => {
    const long = shop(google({}), '*.shop.example.com:443');
    expect(reported({ ...any({}), ...long }, any({}))).toEqual([
      expect.stringContaining('requests to https://*.shop.example.com/… are no longer subject to authentication'),
    ]);
    expect(reported({ ...any(google({})), ...long }, any(google({})))).toEqual([]);
  });

  test('of another port or another domain inherits nothing', () => {
    for (const other of ['*.example.com:8443', '*.example.net:443', '*.shop.example.com:443'])
      expect(reported({ ...any({}, other), ...shop(google({})) }, any({}, other))).toEqual([]);
  });

  test('in a match takes the requests of its hosts, and a host without one those of all others', () => {
    const admin = { 'HTTPSEdgeRoute/any:*.example.com/': { ...upstream, ...google({}) } };
    expect(reported({ ...any({}), ...admin }, any({}))).toHaveLength(1);
    const exact = { 'HTTPSEdgeRoute/any:shop.example.com/': upstream };
    expect(reported({ ...any({}), ...admin }, { ...any({}), ...admin, ...exact })).toEqual([
      expect.stringContaining('requests to https://shop.example.com'),
    ]);
  });

  test('that is open is made after the exact hostport that asks for something', () => {
    const plan = planOf({ wanted: { ...any({}), ...shop(google({})) } });
    const at = (id: string): number => plan.steps.findIndex((step) => step.id === id);
    expect(at('HTTPSEdgeRoute/any:/ create')).toBeGreaterThan(at('HTTPSEdge/shop create'));
    expect(
      plan.steps.find(({ id }) => id === 'HTTPSEdgeRoute/any:/ create')?.dependsOn.map(({ step }) => step),
    ).toContain('HTTPSEdge/shop create');
  });

  test('still answers where an exact hostport goes, so nothing goes away', () => {
    const lines = hazards(planOf({ ours: { ...any({}), ...shop({}) }, wanted: any({}) }));
    expect(lines.filter((line) => line.startsWith('INTERRUPTS_TRAFFIC'))).toEqual([]);
  });
});

test('a route of an edge that passes TLS through to the application opens when it gets its backend: no module of it is asked', () => {
  const ours = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] }, 'HTTPSEdgeRoute/shop:/': ip('ipp_a') };
  const wanted = { ...ours, 'HTTPSEdgeRoute/shop:/': { ...upstream, ...ip('ipp_a') } };
  const reported = (terminate_at: string): readonly string[] => {
    const { account, ...input } = inputOf({ ours, wanted });
    const passing = [...account.ours].map(
      ([address, actual]) => [address, { ...actual, computed: { tls_termination: { terminate_at } } }] as const,
    );
    return hazards(planStack({ ...input, account: { ...account, ours: new Map(passing) } }));
  };
  expect(reported('edge')).toEqual([]);
  expect(reported('upstream')).toEqual([expect.stringContaining('becomes public')]);
});

test('an access control that is new may allow other clients, also beside one of the same class that stays', () => {
  const shop = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
  const route = (modules: SpecObject): Specs => ({ ...shop, 'HTTPSEdgeRoute/shop:/': { ...upstream, ...modules } });
  const plan = planOf({ ours: route({ ...google({}), ...oidc() }), wanted: route({ ...google({}), ...saml() }) });
  expect(hazards(plan).filter((line) => line.startsWith('OPENS_ACCESS'))).toEqual([
    expect.stringContaining('access control `saml` applies instead of `oidc`, and may allow other clients'),
  ]);
});
