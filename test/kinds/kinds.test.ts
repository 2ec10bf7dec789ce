import { describe, expect, test } from 'vitest';
import { kinds, kindSet } from '../../src/kinds/index.ts';
import type { Field, Fields, Group } from '../../src/kinds/kind.ts';
import { abuseReport, endpoint, tunnelSession } from '../../src/kinds/views.ts';

// Names of a group's fields that a manifest may write, or those in need of a value.
const names = (fields: Fields, is: (field: Field) => boolean): string[] =>
  Object.entries(fields).flatMap(([name, field]) => (is(field) ? [name] : []));
const writable = (field: Field) => field.lifecycle !== 'computed';
const fieldsOf = (kind: string) => kinds.named(kind)!.fields;
const module = (name: string) => (fieldsOf('HTTPSEdgeRoute')[name] as Group).fields;
const provider = (name: string) => ((module('oauth')['provider'] as Group).fields[name] as Group).fields;

// Transcribed from the API description's tables, not from the definitions.
describe('the fields a manifest may write are those of the create bodies', () => {
  test.each([
    [
      'SSHHostCertificate',
      'ssh_certificate_authority_id public_key principals valid_after valid_until description metadata',
    ],
    ['AgentIngress', 'description metadata domain certificate_management_policy'],
    ['ReservedAddr', 'description metadata region endpoint_configuration_id'],
    ['CertificateAuthority', 'ca_pem description metadata'],
    ['HTTPSEdge', 'description metadata hostports mutual_tls tls_termination'],
    ['EventSubscription', 'metadata description sources destination_ids'],
    [
      'HTTPSEdgeRoute',
      'edge_id match_type match description metadata backend ip_restriction circuit_breaker compression request_headers response_headers webhook_verification oauth saml oidc websocket_tcp_converter user_agent_filter traffic_policy',
    ],
  ])('%s', (kind, fields) => {
    expect(names(fieldsOf(kind), writable).sort()).toEqual(fields.split(' ').sort());
  });

  test.each([
    ['backend', 'backend_id'],
    ['ip_restriction', 'ip_policy_ids'],
    ['circuit_breaker', 'tripped_duration rolling_window num_buckets volume_threshold error_threshold_percentage'],
    ['compression', ''],
    ['request_headers', 'add remove'],
    ['response_headers', 'add remove'],
    ['webhook_verification', 'provider secret'],
    ['oauth', 'provider options_passthrough cookie_prefix inactivity_timeout maximum_duration auth_check_interval'],
    [
      'saml',
      'options_passthrough cookie_prefix inactivity_timeout maximum_duration idp_metadata force_authn allow_idp_initiated authorized_groups nameid_format',
    ],
    [
      'oidc',
      'options_passthrough cookie_prefix inactivity_timeout maximum_duration issuer client_id client_secret scopes',
    ],
    ['websocket_tcp_converter', ''],
    ['user_agent_filter', 'allow deny'],
    ['traffic_policy', 'value'],
  ])('module %s', (name, fields) => {
    expect(names(module(name), writable).sort()).toEqual(['enabled', ...fields.split(' ').filter(Boolean)].sort());
  });

  test('oauth providers: all alike, but GitHub has teams and organizations', () => {
    const common = ['client_id', 'client_secret', 'email_addresses', 'email_domains', 'scopes'];
    for (const name of ['facebook', 'microsoft', 'google', 'linkedin', 'gitlab', 'twitch', 'amazon'])
      expect(Object.keys(provider(name)).sort()).toEqual(common);
    expect(Object.keys(provider('github')).sort()).toEqual([...common, 'organizations', 'teams'].sort());
  });
});

test('what cannot change is what no update takes', () => {
  const immutable = kinds.all.flatMap(({ name, fields }) =>
    names(fields, ({ lifecycle }) => lifecycle === 'immutable').map((field) => `${name}.${field}`),
  );
  expect(immutable.sort()).toEqual([
    'AgentIngress.domain',
    'CertificateAuthority.ca_pem',
    'HTTPSEdgeRoute.edge_id',
    'ReservedAddr.region',
    'SSHHostCertificate.principals',
    'SSHHostCertificate.public_key',
    'SSHHostCertificate.ssh_certificate_authority_id',
    'SSHHostCertificate.valid_after',
    'SSHHostCertificate.valid_until',
  ]);
});

test('secrets are those of sign-in apps and webhooks', () => {
  const secrets = secretsIn('', fieldsOf('HTTPSEdgeRoute'));
  expect(secrets).toHaveLength(10);
  expect(secrets.every((path) => path.endsWith('/client_secret') || path === '/webhook_verification/secret')).toBe(
    true,
  );
  expect(kinds.all.flatMap(({ fields }) => secretsIn('', fields))).toHaveLength(10);
});

test('access control is what asks who sends a request; filters are what anybody may meet', () => {
  const modules = (is: (group: Group) => boolean): string[] =>
    kinds.all.flatMap(({ fields }) => names(fields, (field) => field.is === 'group' && is(field))).sort();
  expect(modules(({ accessControl }) => accessControl !== undefined)).toEqual(
    'ip_restriction mutual_tls oauth oidc saml webhook_verification'.split(' '),
  );
  expect(modules(({ filter }) => filter !== undefined)).toEqual(
    'tls_termination traffic_policy user_agent_filter'.split(' '),
  );
  expect(modules(({ inEffectWith }) => inEffectWith !== undefined)).toEqual(['ip_restriction', 'mutual_tls']);
});

test('a set of kinds is asked by name, and for what lives inside another', () => {
  expect(kinds.named('HTTPSEdge')?.path).toBe('/edges/https');
  expect(kinds.named('TCPEdge')).toBeUndefined();
  expect(kinds.within('HTTPSEdge').map(({ name }) => name)).toEqual(['HTTPSEdgeRoute']);
  expect(kindSet([]).within('HTTPSEdge')).toEqual([]);
});

test('a route can temporarily have a match that no request has', () => {
  const [match] = kinds.named('HTTPSEdgeRoute')!.unique;
  const temporary = match!.temporaryValue as { text: (nonce: string) => string };
  expect(temporary.text('0a1b2c3d')).toBe('/.sluice-0a1b2c3d');
});

test('views are only ever read, but for what an abuse report is made of', () => {
  for (const view of [tunnelSession, endpoint]) expect(names(view.fields, writable)).toEqual([]);
  expect(names(abuseReport.fields, writable)).toEqual(['urls', 'metadata']);
});

test('every field has a description, and no two kinds share a path or the prefix of their ids', () => {
  for (const { fields } of kinds.all)
    for (const field of allIn(fields)) expect(field.doc).toMatch(/^[A-Z`].*\.$|^[a-z].*\.$/);
  expect(new Set(kinds.all.map(({ path }) => path)).size).toBe(kinds.all.length);
  expect(new Set(kinds.all.map(({ idPrefix }) => idPrefix)).size).toBe(kinds.all.length);
});

function secretsIn(path: string, fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.is === 'group') return secretsIn(`${path}/${name}`, field.fields);
    return field.is === 'leaf' && field.secret === true ? [`${path}/${name}`] : [];
  });
}

function allIn(fields: Fields): Field[] {
  return Object.values(fields).flatMap((field) => [field, ...(field.is === 'group' ? allIn(field.fields) : [])]);
}
