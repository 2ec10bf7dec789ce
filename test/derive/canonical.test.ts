import { describe, expect, test } from 'vitest';
import { canonical, isUnsetValue, canonicalKey, semanticEquals } from '../../src/derive/canonical.ts';
import { sortedJson } from '../../src/derive/sorted-json.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Field, Leaf } from '../../src/kinds/kind.ts';
import { Ref, Secret, type SpecValue } from '../../src/kinds/value.ts';

// The field of a kind at a path such as `oauth.provider.google`.
function field(kind: string, path: string): Field {
  return path.split('.').reduce<Field>((at, name) => (at.is === 'group' ? at.fields[name]! : at), {
    is: 'group',
    doc: '',
    lifecycle: 'mutable',
    since: 'described',
    rules: [],
    fields: kinds.named(kind)!.fields,
  });
}

const key = 'AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUTyz1HwHReFVvD5obVsALAgJRNarH4TRpNePnAS';
const digest = (text: string) => `digest of ${text}`;
const inTheClear = (text: string) => text;

describe('two values mean the same', () => {
  test.each<[string, string, SpecValue, SpecValue]>([
    ['HTTPSEdge', 'description', '', null],
    ['HTTPSEdge', 'hostports', [], null],
    ['HTTPSEdge', 'hostports', ['b.example.com:443', 'a.example.com:443'], ['A.example.com:443', 'b.example.com:443']],
    [
      'HTTPSEdge',
      'metadata',
      '{"a":1,"b":{"d":[{"f":1,"e":2}],"c":3}}',
      ' {"b": {"c": 3, "d": [{"e": 2, "f": 1}]}, "a": 1}',
    ],
    ['HTTPSEdge', 'metadata', '{}', ''],
    [
      'HTTPSEdge',
      'tls_termination',
      { min_version: '1.2' },
      { enabled: true, min_version: '1.2', terminate_at: 'edge' },
    ],
    ['HTTPSEdgeRoute', 'compression', {}, { enabled: true }],
    ['HTTPSEdgeRoute', 'circuit_breaker.num_buckets', null, 10],
    ['HTTPSEdgeRoute', 'oauth.cookie_prefix', 'svc.', ''],
    ['HTTPSEdgeRoute', 'oauth.options_passthrough', false, null],
    ['HTTPSEdgeRoute', 'oauth.inactivity_timeout', 0, null],
    ['HTTPSEdgeRoute', 'oauth.provider', { google: {} }, { google: { scopes: [], email_domains: [] }, github: null }],
    ['HTTPSEdgeRoute', 'request_headers.add', { 'X-Area': 'a' }, { 'x-area': 'a' }],
    ['HTTPSEdgeRoute', 'request_headers.add', { b: '1', a: '2' }, { a: '2', b: '1' }],
    ['HTTPSEdgeRoute', 'request_headers.add', {}, null],
    ['HTTPSEdgeRoute', 'saml.nameid_format', '', 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
    ['HTTPSEdgeRoute', 'webhook_verification', { provider: 'SNS' }, { provider: 'sns', secret: new Secret('') }],
    ['SSHHostCertificate', 'valid_until', '2027-01-01T00:00:00Z', '2027-01-01T01:00:00+01:00'],
    ['SSHHostCertificate', 'public_key', `ssh-ed25519 ${key} root@bastion`, `ssh-ed25519  ${key}`],
    [
      'EventSubscription',
      'sources',
      [{ type: 'b' }, { type: 'a' }],
      [
        { type: 'a', uri: '/a' },
        { type: 'b', uri: '/b' },
      ],
    ],
  ])('%s.%s: %j and %j', (kind, path, a, b) => {
    expect(semanticEquals(field(kind, path), a, b, inTheClear)).toBe(true);
    expect(canonicalKey(field(kind, path), a)).toBe(canonicalKey(field(kind, path), b));
  });
});

describe('two values differ', () => {
  test.each<[string, string, SpecValue, SpecValue]>([
    ['HTTPSEdge', 'description', 'a', 'A'],
    ['HTTPSEdge', 'metadata', '{"a":[1,2]}', '{"a":[2,1]}'],
    ['HTTPSEdge', 'metadata', 'plain', 'Plain'],
    ['HTTPSEdgeRoute', 'compression', {}, null],
    ['HTTPSEdgeRoute', 'compression', { enabled: false }, {}],
    ['HTTPSEdgeRoute', 'request_headers.add', { a: '' }, {}],
    ['HTTPSEdgeRoute', 'circuit_breaker.num_buckets', 0, 10],
    ['HTTPSEdgeRoute', 'oauth.provider', { google: {} }, { github: {} }],
    ['HTTPSEdge', 'tls_termination', { min_version: '1.2' }, { min_version: '1.3' }],
    ['EventSubscription', 'sources', [{ type: 'a' }], [{ type: 'b' }]],
    ['HTTPSEdge', 'hostports', ['a.example.com:443'], ['a.example.com:443', 'b.example.com:443']],
    ['HTTPSEdge', 'hostports', ['a.example.com:443', 'b.example.com:443'], ['a.example.com:443', 'c.example.com:443']],
    ['HTTPSEdgeRoute', 'webhook_verification.secret', new Secret('a'), new Secret('b')],
    ['HTTPSEdgeRoute', 'backend.backend_id', new Ref('External/a'), 'External/a'],
    ['SSHHostCertificate', 'valid_until', 'soon', 'later'],
    ['SSHHostCertificate', 'public_key', 'no key', `ssh-ed25519 ${key}`],
  ])('%s.%s: %j and %j', (kind, path, a, b) => {
    expect(semanticEquals(field(kind, path), a, b, inTheClear)).toBe(false);
    expect(canonicalKey(field(kind, path), a)).not.toBe(canonicalKey(field(kind, path), b));
  });
});

test('the order of a list that is a sequence counts, and so do its repeats', () => {
  const set = field('HTTPSEdgeRoute', 'oidc.scopes');
  const sequence = { ...set, order: 'sequence' } as Field;
  expect(semanticEquals(set, ['a', 'b', 'a'], ['b', 'a'], inTheClear)).toBe(true);
  expect(semanticEquals(sequence, ['a', 'b'], ['b', 'a'], inTheClear)).toBe(false);
  expect(semanticEquals(sequence, ['a', 'a'], ['a'], inTheClear)).toBe(false);
});

test('a secret and the digest that is remembered of it are the same', () => {
  const secret = field('HTTPSEdgeRoute', 'webhook_verification.secret');
  expect(semanticEquals(secret, new Secret('s3cret'), { secret: 'digest of s3cret' }, digest)).toBe(true);
  expect(semanticEquals(secret, new Secret('other'), { secret: 'digest of s3cret' }, digest)).toBe(false);
});

test('a value of the wrong shape means nothing where a group, list or map stands, and is no crash', () => {
  expect(canonical(field('HTTPSEdge', 'mutual_tls'), 'yes', digest)).toBeNull();
  expect(canonical(field('HTTPSEdge', 'hostports'), 'yes', digest)).toBeNull();
  expect(canonical(field('HTTPSEdgeRoute', 'request_headers.add'), 'yes', digest)).toBeNull();
  expect(canonical(field('HTTPSEdge', 'description'), ['a'], digest)).toBeNull();
  expect(canonical(field('HTTPSEdge', 'description'), { a: 'b' }, digest)).toBe('{"a":"b"}');
});

test('a leaf is left out when it holds its default', () => {
  const region = field('ReservedAddr', 'region') as Leaf;
  expect(['us', null, undefined, ''].map((value) => isUnsetValue(region, value))).toEqual([true, true, true, true]);
  expect(isUnsetValue(region, 'eu')).toBe(false);
  const secret = field('HTTPSEdgeRoute', 'webhook_verification.secret') as Leaf;
  expect([new Secret(''), new Secret('s'), { secret: 'digest' }].map((value) => isUnsetValue(secret, value))).toEqual([
    true,
    false,
    false,
  ]);
});

test('each value that the service takes as the default means that a leaf is left out', () => {
  const region = { ...(field('ReservedAddr', 'region') as Leaf), alsoUnset: ['any', 'none'] };
  expect(['any', 'none', 'us', 'eu'].map((value) => isUnsetValue(region, value))).toEqual([true, true, true, false]);
});

test('sorted JSON orders keys at every depth and leaves lists alone', () => {
  expect(sortedJson({ b: [{ d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
});
