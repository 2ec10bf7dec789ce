import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { lintSpec } from '../../../src/derive/check/lint-spec.ts';
import { kinds } from '../../../src/kinds/index.ts';
import { OutsideValue, Ref, Secret, type SpecObject } from '../../../src/kinds/value.ts';

// What is unusual in a spec, a line each: code, pointer, message, hint.
function lint(kind: string, spec: string | SpecObject): string[] {
  const value = typeof spec === 'string' ? (parse(spec) as SpecObject) : spec;
  return lintSpec(kinds.named(kind)!, value).map(
    ({ code, severity, path, message, hint }) => `${severity!} ${code} /${path.join('/')}: ${message} (${hint!})`,
  );
}

describe('a text that the service accepts, but that is rarely what is meant, is a warning:', () => {
  test.each([
    [
      'a path without its slash',
      'HTTPSEdgeRoute',
      'match: staff',
      'UNUSUAL_VALUE /match: `match`: the value selects a host, not a path (to select a path, write `match: /staff`)',
    ],
    [
      'several path segments without the first slash',
      'HTTPSEdgeRoute',
      'match: staff/rota',
      'UNUSUAL_VALUE /match: `match`: the value selects a host, not a path (to select a path, write `match: /staff/rota`)',
    ],
    [
      'a wildcard in a path',
      'HTTPSEdgeRoute',
      'match: /staff/*',
      'UNUSUAL_VALUE /match: `match`: the path of the value does not support wildcards: `*`, `{` and `}` are matched literally (write `match: /staff/` with `match_type: path_prefix`)',
    ],
    [
      'a parameter in a path below a wildcard host',
      'HTTPSEdgeRoute',
      'match: "*.example.com/users/{id}/cart"',
      'UNUSUAL_VALUE /match: `match`: the path of the value does not support wildcards: `*`, `{` and `}` are matched literally (write `match: *.example.com/users/` with `match_type: path_prefix`)',
    ],
    [
      'a wildcard inside a name of a host',
      'HTTPSEdgeRoute',
      'match: "api-*.example.com/"',
      'UNUSUAL_VALUE /match: `match`: the host of the value has a port, or a wildcard inside a name; the API does not document which requests such a host selects (write an exact host, or `*.` before a domain; otherwise, plans assume the meaning that gives the most clients access)',
    ],
    [
      'a query in a match',
      'HTTPSEdgeRoute',
      'match: /search?q=1',
      'UNUSUAL_VALUE /match: `match`: the value contains a query, which is not part of the path of a request (write `match: /search`)',
    ],
    [
      'a webhook provider that is spelled wrong',
      'HTTPSEdgeRoute',
      'webhook_verification: {provider: gihub}',
      'UNKNOWN_VALUE /webhook_verification/provider: `webhook_verification.provider`: the value `gihub` is not a known webhook provider (did you mean `github`?)',
    ],
    [
      'a TLS version with its name',
      'HTTPSEdge',
      'tls_termination: {min_version: TLS 1.2}',
      'UNKNOWN_VALUE /tls_termination/min_version: `tls_termination.min_version`: the value `TLS 1.2` is not a known TLS version (known values: 1.0, 1.1, 1.2, 1.3)',
    ],
    [
      'an event type that nobody sends',
      'EventSubscription',
      'sources: [{type: ip_policy_create.v0}]',
      'UNKNOWN_VALUE /sources/0/type: `sources[0].type`: the value `ip_policy_create.v0` is not a known event type (did you mean `ip_policy_created.v0`?)',
    ],
    [
      'an event type without a version',
      'EventSubscription',
      'sources: [{type: ip_policy_created}]',
      'UNKNOWN_VALUE /sources/0/type: `sources[0].type`: the event type has no version (write `ip_policy_created.v0`)',
    ],
    [
      'a domain among e-mail addresses',
      'HTTPSEdgeRoute',
      'oauth: {provider: {google: {email_addresses: ["@acme.example"]}}}',
      'UNUSUAL_VALUE /oauth/provider/google/email_addresses/0: `oauth.provider.google.email_addresses[0]`: the value is not an e-mail address (to allow every address of the domain, write `email_domains: [acme.example]`)',
    ],
    [
      'a name among e-mail addresses',
      'HTTPSEdgeRoute',
      'oauth: {provider: {google: {email_addresses: [ana]}}}',
      'UNUSUAL_VALUE /oauth/provider/google/email_addresses/0: `oauth.provider.google.email_addresses[0]`: the value is not an e-mail address (write a whole address, such as ana@example.com)',
    ],
    [
      'a list of users that names nobody',
      'HTTPSEdgeRoute',
      'oauth: {provider: {google: {email_domains: [], email_addresses: []}}}',
      'UNUSUAL_VALUE /oauth/provider/google/email_addresses: `oauth.provider.google.email_addresses`: the list is empty, so it restricts nothing (add the allowed values to the list, or remove the list)',
    ],
    [
      'a certificate for no hosts',
      'SSHHostCertificate',
      'principals: []',
      'UNUSUAL_VALUE /principals: `principals`: the list is empty, so it restricts nothing (add the allowed values to the list, or remove the list)',
    ],
    [
      'mutual TLS with no authority',
      'HTTPSEdge',
      'mutual_tls: {certificate_authority_ids: []}',
      'UNUSUAL_VALUE /mutual_tls/certificate_authority_ids: `mutual_tls.certificate_authority_ids`: the list is empty, so it restricts nothing (add the allowed values to the list, or remove the list)',
    ],
    [
      'a team that is mentioned as in a comment',
      'HTTPSEdgeRoute',
      'oauth: {provider: {github: {teams: ["@acme/web"]}}}',
      'UNUSUAL_VALUE /oauth/provider/github/teams/0: `oauth.provider.github.teams[0]`: the value begins with `@` (write `acme/web`)',
    ],
    [
      'a team among organizations',
      'HTTPSEdgeRoute',
      'oauth: {provider: {github: {organizations: [acme/web]}}}',
      'UNUSUAL_VALUE /oauth/provider/github/organizations/0: `oauth.provider.github.organizations[0]`: the value is not the name of an organization (to allow a team, write `teams: [acme/web]`)',
    ],
    [
      'several scopes in one text',
      'HTTPSEdgeRoute',
      'oidc: {scopes: [openid email]}',
      'UNUSUAL_VALUE /oidc/scopes/0: `oidc.scopes[0]`: the item contains spaces or commas, but the service treats each item as a single scope (write each scope as a separate item: [openid, email])',
    ],
    [
      'the discovery document as issuer',
      'HTTPSEdgeRoute',
      'oidc: {issuer: https://id.example.com/.well-known/openid-configuration}',
      'UNUSUAL_VALUE /oidc/issuer: `oidc.issuer`: the value is the URL of the discovery document, not of the issuer (write `https://id.example.com`)',
    ],
    [
      'the name of a file as a policy',
      'HTTPSEdgeRoute',
      'traffic_policy: {value: policies/shop.yaml}',
      'UNUSUAL_VALUE /traffic_policy/value: `traffic_policy.value`: the value looks like a file name: sluice would send the name, not the content of the file (to send the content of the file, write `value: {from_file: policies/shop.yaml}`)',
    ],
    [
      'a reference inside a sentence',
      'HTTPSEdgeRoute',
      'description: "served by {ref: web}"',
      'REFERENCE_IN_TEXT /description: `description`: the string contains `{ref: …}`; sluice resolves references only as a whole value, and sends this string unchanged (write {ref: NAME} as the whole value of an id field, or {ref: NAME, field: FIELD} as the whole value of a string field)',
    ],
    [
      'a value source inside a header',
      'HTTPSEdgeRoute',
      'request_headers: {add: {x-key: "Bearer {from_env: KEY}"}}',
      'REFERENCE_IN_TEXT /request_headers/add/x-key: `request_headers.add.x-key`: the string contains `{from_env: …}`; sluice resolves references only as a whole value, and sends this string unchanged (`{from_env: …}` must be the whole value of a field, not a part of a string)',
    ],
    [
      'a value source in quotes',
      'HTTPSEdgeRoute',
      'description: "{from_env: NOTE}"',
      'REFERENCE_IN_TEXT /description: `description`: the string contains `{from_env: …}`; sluice resolves references only as a whole value, and sends this string unchanged (remove the quotes around the reference)',
    ],
  ])('%s', (_what, kind, spec, line) => {
    expect(lint(kind, spec)).toEqual([`warning ${line}`]);
  });

  test('a secret in quotes, of which nothing is printed', () => {
    const spec = { webhook_verification: { provider: 'github', secret: new Secret('{from_file: keys/hook-9137}') } };
    expect(lint('HTTPSEdgeRoute', spec)).toEqual([
      'warning REFERENCE_IN_TEXT /webhook_verification/secret: `webhook_verification.secret`: the string contains `{from_file: …}`; sluice resolves references only as a whole value, and sends this string unchanged (remove the quotes around the reference)',
    ]);
  });
});

describe('nothing is reported of', () => {
  test.each([
    ['HTTPSEdgeRoute', 'match: /'],
    ['HTTPSEdgeRoute', 'match: /.well-known/x'],
    ['HTTPSEdgeRoute', 'match: "*.example.com"'],
    ['HTTPSEdgeRoute', 'match: shop.example.com/cart'],
    ['HTTPSEdgeRoute', 'match: localhost/cart'],
    ['HTTPSEdgeRoute', 'webhook_verification: {provider: SNS}'],
    ['HTTPSEdge', 'tls_termination: {min_version: "1.3"}'],
    ['HTTPSEdgeRoute', 'saml: {nameid_format: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"}'],
    ['HTTPSEdgeRoute', 'oauth: {provider: {github: {teams: [acme/web], email_addresses: [ana@acme.example]}}}'],
    ['HTTPSEdgeRoute', 'oauth: {provider: {google: {email_domains: [acme.example], email_addresses: []}}}'],
    ['HTTPSEdgeRoute', 'ip_restriction: {ip_policy_ids: []}'],
    ['HTTPSEdgeRoute', 'oidc: {issuer: https://id.example.com, scopes: [openid, email]}'],
    ['HTTPSEdgeRoute', 'traffic_policy: {value: "on_http_request: []"}'],
    ['HTTPSEdgeRoute', 'user_agent_filter: {deny: ["^{ref: x}"]}'],
    ['EventSubscription', 'sources: [{type: http_request_complete.v0}]'],
    ['EventSubscription', 'metadata: \'{"note": "{ref: x}"}\''],
  ])('%s %s', (kind, spec) => {
    expect(lint(kind, spec)).toEqual([]);
  });

  test('a value from outside, whose text is not written in the manifest', () => {
    expect(lint('HTTPSEdgeRoute', { description: new OutsideValue('{ref: web}', { from_env: 'NOTE' }) })).toEqual([]);
  });

  test('what the checks refuse already', () => {
    expect(lint('HTTPSEdgeRoute', 'match: "/staff/* "')).toEqual([]);
  });
});

test('a value of the wrong shape, which the checks refuse, is not called unusual as well', () => {
  expect(lint('SSHHostCertificate', { principals: ['{ref: HOST}'] })).not.toEqual([]);
  expect(lint('SSHHostCertificate', { principals: { a: '{ref: HOST}' } })).toEqual([]);
  expect(lint('HTTPSEdgeRoute', { request_headers: { add: { 'X-One': '{ref: ONE}' } } })).not.toEqual([]);
  expect(lint('HTTPSEdgeRoute', { request_headers: { add: ['{ref: ONE}'] } })).toEqual([]);
  expect(lint('HTTPSEdgeRoute', { request_headers: { add: new Ref('External/one', '{ref: ONE}') } })).toEqual([]);
  expect(lint('HTTPSEdgeRoute', { request_headers: '{ref: ONE}' })).toEqual([]);
});
