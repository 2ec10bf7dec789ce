import { describe, expect, test } from 'vitest';
import { explain, type FieldFacts } from '../../../src/derive/explain/explain-kind.ts';
import { kinds } from '../../../src/kinds/index.ts';

const explained = (kind: string, path = '') => explain(kinds.named(kind)!, path === '' ? [] : path.split('.'), kinds);
const facts = (kind: string, path: string): FieldFacts => explained(kind, path).field!;

describe('the type of a field in words', () => {
  test.each([
    ['ReservedAddr', 'region', 'one of au, eu, ap, us, jp, in, sa'],
    ['ReservedAddr', 'metadata', 'string (json)'],
    ['ReservedAddr', 'description', 'string'],
    ['ReservedAddr', 'endpoint_configuration_id', 'id (endpoint_configuration)'],
    ['HTTPSEdge', 'hostports', 'set of string (hostport)'],
    ['HTTPSEdge', 'routes', 'list of HTTPSEdgeRoute'],
    ['HTTPSEdge', 'routes.oidc', 'module'],
    ['HTTPSEdgeRoute', 'request_headers.add', 'mapping from string (header-name) to string (header-value)'],
    ['HTTPSEdgeRoute', 'oidc.maximum_duration', 'integer'],
    ['HTTPSEdgeRoute', 'compression.enabled', 'boolean'],
    ['HTTPSEdgeRoute', 'circuit_breaker.error_threshold_percentage', 'number'],
    ['AgentIngress', 'certificate_management_policy', 'mapping'],
    ['SSHHostCertificate', 'valid_after', 'time (RFC 3339)'],
  ])('of %s.%s: %s', (kind, path, type) => {
    expect(facts(kind, path).type).toBe(type);
  });
});

test('of a kind, every field is explained with its name, and what lives inside it as well', () => {
  const { path, doc, field, fields } = explained('HTTPSEdge');
  expect({ path, doc, field }).toEqual({ path: [], doc: kinds.named('HTTPSEdge')?.doc, field: undefined });
  expect(fields.map(({ name }) => name)).toEqual([...Object.keys(kinds.named('HTTPSEdge')?.fields ?? {}), 'routes']);
});

test('of what lives inside another resource, the field that names that resource is omitted', () => {
  const names = explained('HTTPSEdge', 'routes').fields.map(({ name }) => name);
  expect(names).toContain('match');
  expect(names).not.toContain('edge_id');
});

test('of a name that is unknown, the names that there are, and the path that leads to it', () => {
  const { path, fields, unknown } = explained('ReservedAddr', 'nowhere.deeper');
  expect({ path, fields, name: unknown?.name }).toEqual({ path: [], fields: [], name: 'nowhere' });
  expect(unknown?.known).toContain('region');
  expect(explained('HTTPSEdge', 'routes.constructor')).toMatchObject({ path: ['routes'], unknown: {} });
});

test('of a field, its default unless that is the empty text, and what a change of it does', () => {
  expect(facts('ReservedAddr', 'region')).toMatchObject({ default: 'us', immutable: true, required: false });
  expect(facts('ReservedAddr', 'description')).not.toHaveProperty('default');
  expect(facts('ReservedAddr', 'addr')).toMatchObject({ computed: true, immutable: false });
  expect(facts('AgentIngress', 'domain')).toMatchObject({ required: true, immutable: true });
  expect(facts('HTTPSEdgeRoute', 'oidc.client_secret')).toMatchObject({ secret: true, required: true });
  expect(facts('HTTPSEdgeRoute', 'oidc.client_id')).toMatchObject({ secret: false });
});

test.each([
  ['HTTPSEdgeRoute', 'circuit_breaker.num_buckets', ['0 to 128']],
  ['ReservedAddr', 'metadata', ['at most 4096 bytes']],
  ['HTTPSEdgeRoute', 'oauth.provider.google.email_addresses', ['unique items']],
  ['EventSubscription', 'sources', ['at least 1 item']],
  ['HTTPSEdgeRoute', 'oidc', []],
  ['HTTPSEdgeRoute', 'oidc.client_id', []],
])('the limits of %s.%s: %j', (kind, path, limits) => {
  expect(facts(kind, path).limits).toEqual(expect.arrayContaining(limits));
  expect(facts(kind, path).limits.length > 0).toBe(limits.length > 0);
});

test('of a module that controls access, what it keeps requests from', () => {
  expect(facts('HTTPSEdgeRoute', 'webhook_verification')).toMatchObject({ access_control: 'signature' });
  expect(facts('HTTPSEdgeRoute', 'compression')).not.toHaveProperty('access_control');
});
