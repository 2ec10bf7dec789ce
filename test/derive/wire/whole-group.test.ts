import { describe, expect, test } from 'vitest';
import { wholeGroup } from '../../../src/derive/wire/whole-group.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { Group } from '../../../src/kinds/kind.ts';
import { Secret, type SpecObject } from '../../../src/kinds/value.ts';

// The body of a module where these pointers are held, secrets in the clear.
function whole(module: string, desired: SpecObject, actual: SpecObject | undefined, ...held: string[]): unknown {
  const group = kinds.named('HTTPSEdgeRoute')!.fields[module] as Group;
  const body = wholeGroup(
    group,
    desired,
    actual,
    [module],
    Object.fromEntries(held.map((pointer) => [pointer, 'why'])),
  );
  return JSON.parse(JSON.stringify(body, reveal)) as unknown;
}

function reveal(this: unknown, key: string, value: unknown): unknown {
  const plain = (this as Record<string, unknown>)[key];
  return plain instanceof Secret ? plain.reveal() : value;
}

const app = (secret: string | null): SpecObject => ({
  provider: { github: { client_id: 'shop', client_secret: secret === null ? null : new Secret(secret) } },
});

test('a module without held fields is what the manifest says, without what is unset', () => {
  const desired = { provider: { google: { email_domains: ['a.example'] }, github: null }, maximum_duration: null };
  const actual = { enabled: true, provider: { google: { scopes: ['x'] } }, maximum_duration: 60 };
  expect(whole('oauth', desired, actual)).toEqual({ provider: { google: { email_domains: ['a.example'] } } });
});

test('a group that is new inside a module is what the manifest says', () => {
  expect(whole('oauth', { provider: { google: {} } }, {})).toEqual({ provider: { google: {} } });
});

test('what the service computes is never written', () => {
  expect(whole('saml', { idp_metadata: '<a/>' }, { idp_metadata: '<a/>', entity_id: 'https://a' })).toEqual({
    idp_metadata: '<a/>',
  });
});

describe('a held field', () => {
  test('carries what is there, also where nothing is', () => {
    const desired = { num_buckets: 5, error_threshold_percentage: 0.5 };
    const held = '/circuit_breaker/error_threshold_percentage';
    expect(whole('circuit_breaker', desired, { error_threshold_percentage: 0.2 }, held)).toEqual({
      num_buckets: 5,
      error_threshold_percentage: 0.2,
    });
    expect(whole('circuit_breaker', desired, {}, held)).toEqual({ num_buckets: 5 });
  });

  test('of a module that is not there yet carries what is wanted', () => {
    expect(whole('circuit_breaker', { num_buckets: 5 }, undefined, '/circuit_breaker/num_buckets')).toEqual({
      num_buckets: 5,
    });
  });

  test('may be a header among others', () => {
    const desired = { add: { 'X-A': '1', b: '2' } };
    const actual = { add: { 'x-a': '9', c: '3' } };
    expect(whole('request_headers', desired, actual, '/request_headers/add/X-A')).toEqual({
      add: { b: '2', 'x-a': '9' },
    });
    expect(whole('request_headers', {}, actual, '/request_headers/add/x-a')).toEqual({ add: { 'x-a': '9' } });
    expect(whole('request_headers', {}, actual)).toEqual({});
    expect(whole('request_headers', desired, {})).toEqual(desired);
  });
});

describe('a held secret', () => {
  const held = '/oauth/provider/github/client_secret';

  test.each([held, '/oauth/provider'])('that can be read is sent as it is (%s)', (pointer) => {
    expect(whole('oauth', app('mine'), app('theirs'), pointer)).toEqual({
      provider: { github: { client_id: 'shop', client_secret: 'theirs' } },
    });
  });

  test.each([
    [held, '****'],
    [held, ''],
    [held, null],
    ['/oauth/provider', '****'],
  ])('that cannot be read is never sent back: the wanted one is (%s, %j)', (pointer, read) => {
    expect(whole('oauth', app('mine'), app(read), pointer)).toEqual({
      provider: { github: { client_id: 'shop', client_secret: 'mine' } },
    });
  });

  test('that cannot be read and is not wanted is left out', () => {
    expect(whole('oauth', {}, app('****'), '/oauth/provider')).toEqual({ provider: { github: { client_id: 'shop' } } });
  });
});
