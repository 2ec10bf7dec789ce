import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkSpec, type CheckOptions } from '../../../src/derive/check/check-spec.ts';
import { codes } from '../../../src/diagnostics/codes.ts';
import { kinds } from '../../../src/kinds/index.ts';
import { OutsideValue, Ref, Secret, type SpecObject } from '../../../src/kinds/value.ts';

// What is found in a spec, a line each: code, pointer, message, hint.
function check(kind: string, spec: string | SpecObject, options?: CheckOptions): string[] {
  const value = typeof spec === 'string' ? (parse(spec) as SpecObject) : spec;
  return checkSpec(kinds.named(kind)!, value, options).map(
    ({ code, path, message, hint }) =>
      `${code} /${path.join('/')}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
}

const route = { edge_id: 'edghts_1', match_type: 'path_prefix', match: '/' };

describe('a spec is right', () => {
  test.each([
    ['HTTPSEdge', '{}'],
    ['HTTPSEdgeRoute', '{edge_id: e, match_type: exact_path, match: /, traffic_policy: {value: "inbound: []"}}'],
    ['HTTPSEdgeRoute', '{edge_id: e, match_type: exact_path, match: /, saml: {idp_metadata: <a b=c/>}}'],
    ['HTTPSEdge', '{description: null, hostports: null, mutual_tls: null}'],
    [
      'HTTPSEdge',
      '{hostports: ["*.example.com:443", "Shop.example.com:8443"], mutual_tls: {certificate_authority_ids: []}}',
    ],
    [
      'HTTPSEdgeRoute',
      '{edge_id: e, match_type: exact_path, match: shop.example.com/cart, webhook_verification: {provider: SNS}}',
    ],
    [
      'HTTPSEdgeRoute',
      '{edge_id: e, match_type: exact_path, match: /, oauth: {provider: {github: {teams: [acme/web]}, google: null}}}',
    ],
    [
      'HTTPSEdgeRoute',
      '{edge_id: e, match_type: exact_path, match: /, saml: {enabled: false, idp_metadata: <a/>}, oauth: {provider: {google: {}}}}',
    ],
    [
      'SSHHostCertificate',
      '{ssh_certificate_authority_id: s, public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUTyz1HwHReFVvD5obVsALAgJRNarH4TRpNePnAS, valid_after: "2026-01-01T00:00:00Z", valid_until: "2027-01-01T00:00:00+01:00"}',
    ],
  ])('%s %s', (kind, spec) => {
    expect(check(kind, spec)).toEqual([]);
  });

  test('with references and secrets in the places of ids and texts', () => {
    const spec = {
      ...route,
      edge_id: new Ref('HTTPSEdge/shop'),
      oidc: { issuer: 'https://id.example.com', client_id: 'shop', client_secret: new Secret('s3cret') },
    };
    expect(check('HTTPSEdgeRoute', spec)).toEqual([]);
  });

  test('with the values of two other resources as headers', () => {
    const remove = ['a', 'b'].map((name) => new Ref(`ReservedAddr/${name}`, 'description'));
    expect(check('HTTPSEdgeRoute', { ...route, request_headers: { remove } })).toEqual([]);
  });
});

describe('a spec is wrong', () => {
  test.each([
    ['ReservedAddr', '{regoin: eu}', 'UNKNOWN_FIELD /regoin: unknown field `regoin` (did you mean `region`?)'],
    [
      'ReservedAddr',
      '{zzzzzzzzz: null}',
      'UNKNOWN_FIELD /zzzzzzzzz: unknown field `zzzzzzzzz` (known fields: description, metadata, region, endpoint_configuration_id)',
    ],
    [
      'ReservedAddr',
      '{constructor: 1}',
      'UNKNOWN_FIELD /constructor: unknown field `constructor` (known fields: description, metadata, region, endpoint_configuration_id)',
    ],
    [
      'ReservedAddr',
      '{id: ra_1}',
      'READ_ONLY_FIELD /id: `id` is read-only: the service sets the field (remove the field)',
    ],
    [
      'ReservedAddr',
      '{region: ue}',
      'INVALID_VALUE /region: `region` must be one of au, eu, ap, us, jp, in, sa (did you mean `eu`?)',
    ],
    [
      'HTTPSEdgeRoute',
      '{edge_id: edghts_1, match_type: Prefix, match: /}',
      'INVALID_VALUE /match_type: `match_type` must be one of exact_path, path_prefix (did you mean `path_prefix`?)',
    ],
    ['ReservedAddr', '{region: 7}', 'INVALID_VALUE /region: `region` must be one of au, eu, ap, us, jp, in, sa'],
    [
      'ReservedAddr',
      '{endpoint_configuration_id: ""}',
      'EMPTY_VALUE /endpoint_configuration_id: `endpoint_configuration_id` must not be empty',
    ],
    [
      'ReservedAddr',
      '{endpoint_configuration_id: 7}',
      'INVALID_TYPE /endpoint_configuration_id: `endpoint_configuration_id` must be an id, not an integer',
    ],
    ['ReservedAddr', '{description: [a]}', 'INVALID_TYPE /description: `description` must be a string, not a list'],
    [
      'ReservedAddr',
      '{description: {a: b}}',
      'INVALID_TYPE /description: `description` must be a string, not a mapping',
    ],
    ['ReservedAddr', '{description: true}', 'INVALID_TYPE /description: `description` must be a string, not a boolean'],
    [
      'HTTPSEdge',
      '{hostports: "shop.example.com:443"}',
      'INVALID_TYPE /hostports: `hostports` must be a list, not a string',
    ],
    ['HTTPSEdge', '{hostports: [null]}', 'INVALID_TYPE /hostports/0: `hostports[0]` must be a value, not null'],
    [
      'HTTPSEdge',
      '{hostports: ["shop.example.com:0"]}',
      'INVALID_HOSTPORT /hostports/0: `hostports[0]` has a port outside the range 1 to 65535',
    ],
    ['HTTPSEdge', '{mutual_tls: true}', 'INVALID_TYPE /mutual_tls: `mutual_tls` must be a mapping, not a boolean'],
    [
      'HTTPSEdge',
      '{tls_termination: {enabled: yes please}}',
      'INVALID_TYPE /tls_termination/enabled: `enabled` must be a boolean, not a string',
    ],
    [
      'HTTPSEdge',
      '{tls_termination: {terminate_at: edge}}',
      'READ_ONLY_FIELD /tls_termination/terminate_at: `terminate_at` is read-only: the service sets the field (remove the field)',
    ],
    ['EventSubscription', '{sources: []}', 'TOO_FEW_ITEMS /sources: `sources` must have at least 1 item'],
    [
      'EventSubscription',
      '{sources: [{type: a.v0}, {type: a.v0}]}',
      'DUPLICATE_ITEM /sources/1: `sources[1]` repeats an earlier item',
    ],
    [
      'EventSubscription',
      '{sources: [{}]}',
      'MISSING_FIELD /sources/0: `type` is required (Event type with its version, such as ip_policy_created.v0.)',
    ],
    ['EventSubscription', '{}', 'MISSING_FIELD /: `sources` is required (Event types that the subscription sends.)'],
    [
      'SSHHostCertificate',
      '{ssh_certificate_authority_id: s, public_key: k, valid_after: "2027-01-01T00:00:00Z", valid_until: "2027-01-01T01:00:00+01:00"}',
      'INVALID_VALIDITY_PERIOD /valid_until: `valid_until` must be later than `valid_after`',
    ],
    [
      'AgentIngress',
      '{domain: "-bad-.com"}',
      'INVALID_FORMAT /domain: `domain` must be a domain name, such as connect.example.com',
    ],
  ])('%s %s', (kind, spec, finding) => {
    expect(check(kind, spec)).toContain(finding);
  });

  test('and one thing is reported of one value: what is empty must be given, what has the wrong form has it once', () => {
    expect(check('AgentIngress', '{domain: ""}')).toEqual([
      'MISSING_FIELD /: `domain` is required (Your own domain, through which agents connect; the service adds regional domains below it.)',
    ]);
    const oauth = '{provider: {google: {email_domains: ["-BAD-.com"]}}}';
    expect(check('HTTPSEdgeRoute', `{edge_id: e, match_type: exact_path, match: /, oauth: ${oauth}}`)).toEqual([
      'INVALID_FORMAT /oauth/provider/google/email_domains/0: `email_domains[0]` must be a domain name, such as connect.example.com',
    ]);
  });

  test.each([
    [
      'circuit_breaker: {num_buckets: 129}',
      'OUT_OF_RANGE /circuit_breaker/num_buckets: `num_buckets` must be at most 128',
    ],
    [
      'circuit_breaker: {num_buckets: -1}',
      'OUT_OF_RANGE /circuit_breaker/num_buckets: `num_buckets` must be at least 0',
    ],
    [
      'circuit_breaker: {num_buckets: 0}',
      'OUT_OF_RANGE /circuit_breaker/num_buckets: `num_buckets` must be greater than 0',
    ],
    [
      'circuit_breaker: {num_buckets: 0.5}',
      'INVALID_TYPE /circuit_breaker/num_buckets: `num_buckets` must be an integer, not a number',
    ],
    [
      'circuit_breaker: {error_threshold_percentage: 50}',
      'OUT_OF_RANGE /circuit_breaker/error_threshold_percentage: `error_threshold_percentage` must be at most 1',
    ],
    [
      'circuit_breaker: {error_threshold_percentage: half}',
      'INVALID_TYPE /circuit_breaker/error_threshold_percentage: `error_threshold_percentage` must be a number, not a string',
    ],
    [
      'ip_restriction: {ip_policy_ids: []}',
      'TOO_FEW_ITEMS /ip_restriction/ip_policy_ids: `ip_policy_ids` must have at least 1 item',
    ],
    [
      'ip_restriction: {}',
      'MISSING_FIELD /ip_restriction: `ip_policy_ids` is required (Ids of the IP policies that permit or deny an IP address.)',
    ],
    ['request_headers: {add: [a]}', 'INVALID_TYPE /request_headers/add: `add` must be a mapping, not a list'],
    ['request_headers: {add: {a: null}}', 'INVALID_TYPE /request_headers/add/a: `a` must be a string, not null'],
    [
      'request_headers: {add: {"a b": c}}',
      'INVALID_HEADER /request_headers/add/a b: `a b` must be a valid header name (RFC 9110)',
    ],
    [
      'request_headers: {add: {a: "b\\nc"}}',
      'INVALID_HEADER /request_headers/add/a: `a` must be a valid header value (no line breaks or control characters)',
    ],
    [
      'response_headers: {remove: [Server, server]}',
      'DUPLICATE_HEADER /response_headers/remove/1: `remove` contains the header "server" twice (letter case does not matter)',
    ],
    [
      'response_headers: {add: {A: b, a: b}}',
      'DUPLICATE_HEADER /response_headers/add/a: `add` contains the header "a" twice (letter case does not matter)',
    ],
    [
      'user_agent_filter: {deny: ["("]}',
      'INVALID_REGEX /user_agent_filter/deny/0: `deny[0]` must be a regular expression',
    ],
    [
      'traffic_policy: {value: "{"}',
      'INVALID_POLICY_DOCUMENT /traffic_policy/value: `value` must be valid JSON or YAML text (parser error: missing char)',
    ],
    [
      'saml: {idp_metadata: "<a>"}',
      'INVALID_XML /saml/idp_metadata: `idp_metadata` must be XML with a single root element',
    ],
    [
      'webhook_verification: {provider: slack}',
      'MISSING_WEBHOOK_SECRET /webhook_verification: `secret` is required for the provider "slack" (set the secret from an environment variable: secret: {from_env: WEBHOOK_SECRET})',
    ],
    [
      'oauth: {provider: {}}',
      'EXACTLY_ONE_REQUIRED /oauth/provider: exactly one of github, facebook, microsoft, google, linkedin, gitlab, twitch, amazon is required; none is set',
    ],
    [
      'oauth: {provider: {google: {}, github: {}}}',
      'EXACTLY_ONE_REQUIRED /oauth/provider/google: exactly one of github, facebook, microsoft, google, linkedin, gitlab, twitch, amazon is allowed; github, google are set',
    ],
    [
      'oauth: {provider: {google: {client_id: a}}}',
      'REQUIRES_OTHER_FIELD /oauth/provider/google/client_id: `client_id` requires `client_secret`',
    ],
    [
      'oauth: {provider: {google: {scopes: [a]}}}',
      'REQUIRES_OTHER_FIELD /oauth/provider/google/scopes: `scopes` requires `client_id` and `client_secret`',
    ],
    [
      'oauth: {provider: {google: {email_domains: [Example.com]}}}',
      'INVALID_FORMAT /oauth/provider/google/email_domains/0: `email_domains[0]` must be lower case',
    ],
    [
      'oauth: {provider: {google: {}}}, saml: {idp_metadata: <a/>}',
      'CONFLICTING_MODULES /saml: `saml` cannot be enabled together with `oauth`: only one of oauth, saml, oidc is allowed',
    ],
    ['description: {ref: shop}', 'INVALID_TYPE /description: `description` must be a string, not a mapping'],
  ])('a route with %s', (module, finding) => {
    expect(check('HTTPSEdgeRoute', `{edge_id: e, match_type: path_prefix, match: /, ${module}}`)).toEqual([finding]);
  });

  test('where a reference stands and no id does', () => {
    expect(check('ReservedAddr', { description: new Ref('ReservedAddr/other') })).toEqual([
      'INVALID_TYPE /description: `description` must be a string, not a reference',
    ]);
    expect(check('HTTPSEdge', { hostports: new Ref('ReservedAddr/other') })).toEqual([
      'INVALID_TYPE /hostports: `hostports` must be a list, not a reference',
    ]);
  });

  test('with every problem at once, in the order of the spec', () => {
    const found = check(
      'SSHHostCertificate',
      '{valid_after: soon, valid_until: "2020-01-01T00:00:00Z", key_type: rsa}',
    );
    expect(found.map((line) => line.split(':')[0])).toEqual([
      'INVALID_FORMAT /valid_after',
      'READ_ONLY_FIELD /key_type',
      'MISSING_FIELD /',
      'MISSING_FIELD /',
    ]);
  });

  test('and no finding repeats a secret or what stands where one should', () => {
    const canary = 'canary-7f3a';
    const spec = {
      ...route,
      webhook_verification: { provider: 'slack', secret: { from_evn: canary } },
      oidc: {
        issuer: new Secret(canary),
        client_id: [canary],
        client_secret: new Secret(''),
        enabled: new Secret(canary),
      },
      traffic_policy: { value: `{${canary}` },
      description: canary.repeat(30),
    };
    const found = check('HTTPSEdgeRoute', spec);
    expect(found.length).toBeGreaterThan(4);
    expect(found.join('\n')).not.toContain(canary);
  });
});

describe('of a value from outside, nobody is told', () => {
  const outside = (text: string): OutsideValue => new OutsideValue(text, { from_env: 'NOTE' });

  test('how long it is', () => {
    expect(check('HTTPSEdge', { description: outside('x'.repeat(300)) })).toEqual([
      'TOO_LONG /description: `description` is longer than the limit of 255 bytes',
    ]);
  });

  test('which of the values beside it it equals', () => {
    const domains = (...email_domains: SpecObject[string][]): SpecObject => ({
      ...route,
      oauth: { provider: { google: { email_domains } } },
    });
    expect(check('HTTPSEdgeRoute', domains(outside('a.example.com'), 'a.example.com'))).toEqual([]);
    expect(check('HTTPSEdgeRoute', domains(outside('a.example.com'), outside('a.example.com')))).toHaveLength(1);
  });
});

describe('a secret that is empty', () => {
  test.each([
    [{ webhook_verification: { provider: 'slack', secret: new Secret('') } }, 'MISSING_WEBHOOK_SECRET'],
    [{ oauth: { provider: { google: { client_id: 'a', client_secret: new Secret('') } } } }, 'REQUIRES_OTHER_FIELD'],
    [{ oidc: { issuer: 'i', client_id: 'c', client_secret: new Secret('') } }, 'MISSING_FIELD'],
  ])('counts as left out: %o', (module, code) => {
    expect(check('HTTPSEdgeRoute', { ...route, ...module }).join()).toContain(code);
  });
});

describe('the body of a request', () => {
  test('may be a part, in which modules are whole all the same', () => {
    expect(check('HTTPSEdgeRoute', '{description: new}', { partial: true })).toEqual([]);
    expect(check('HTTPSEdgeRoute', '{match: null}', { partial: true })).toHaveLength(1);
    expect(check('HTTPSEdgeRoute', '{backend: {}}', { partial: true })).toHaveLength(1);
  });

  test('may hold what only some services take', () => {
    const body = '{tls_termination: {terminate_at: upstream, min_version: null}}';
    expect(check('HTTPSEdge', body, { wire: true })).toEqual([]);
    expect(check('HTTPSEdge', body.replace('null', '"1.2"'), { wire: true })).toEqual([
      'MIN_VERSION_WITH_UPSTREAM_TLS /tls_termination/min_version: `min_version` must be null when `terminate_at` is `upstream`',
    ]);
    expect(check('HTTPSEdge', '{id: edghts_1}', { wire: true })).toHaveLength(1);
  });
});

test('every fact has a source: the description speaks of lengths, the completions of what is required', () => {
  const [long, missing] = checkSpec(kinds.named('CertificateAuthority')!, { description: 'ü'.repeat(128) });
  expect(long).toMatchObject({
    code: 'TOO_LONG',
    since: 'described',
    message: '`description` is 256 bytes long; the limit is 255 bytes',
  });
  expect(missing).toMatchObject({ code: 'MISSING_FIELD', since: 'completed' });
});

test('event subscriptions are measured in characters, everything else in bytes', () => {
  expect(check('EventSubscription', { sources: [{ type: 'a.v0' }], description: '😀'.repeat(255) })).toEqual([]);
  expect(check('EventSubscription', { sources: [{ type: 'a.v0' }], description: '😀'.repeat(256) })).toEqual([
    'TOO_LONG /description: `description` is 256 characters long; the limit is 255 characters',
  ]);
});

test('every code that a kind may give is a known one', () => {
  const rules = JSON.stringify(kinds.all).matchAll(/"code":"([A-Z_]+)"/g);
  const given = [...new Set([...rules].map(([, code]) => code))];
  expect(given.length).toBeGreaterThan(10);
  expect(given.filter((code) => !Object.hasOwn(codes, code!))).toEqual([]);
});

test('a rule that is broken inside a module names the module where the spec has a name', () => {
  const certificate = { valid_after: '2027-01-02T00:00:00Z', valid_until: '2027-01-01T00:00:00Z' };
  const found = (options?: CheckOptions) =>
    check('SSHHostCertificate', certificate, { ...options, partial: true }).filter((line) => line.includes('PERIOD'));
  expect(found()).toEqual(['INVALID_VALIDITY_PERIOD /valid_until: `valid_until` must be later than `valid_after`']);
  expect(found({ root: 'values' })).toEqual([
    'INVALID_VALIDITY_PERIOD /valid_until: values: `valid_until` must be later than `valid_after`',
  ]);
});
