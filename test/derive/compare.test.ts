import { describe, expect, test } from 'vitest';
import { compare, type CompareOptions } from '../../src/derive/compare.ts';
import { toState } from '../../src/derive/stored/to-state.ts';
import { kinds } from '../../src/kinds/index.ts';
import { OutsideValue, Secret, type SpecObject, type SpecValue } from '../../src/kinds/value.ts';

const digest = (text: string) => `digest of ${text}`;
const forgotten: CompareOptions = { entry: undefined, ignore: [], digest };

// What was last applied, as state keeps it.
function after(applied: SpecObject, more: Partial<CompareOptions['entry']> = {}): CompareOptions {
  return { ...forgotten, entry: { spec: toState({}, applied, digest), ...more } };
}

// The changes of a comparison, a line each: reason, pointer, before and after.
function changes(kind: string, desired: SpecObject, actual: SpecObject, options: CompareOptions): string[] {
  return compare(kinds.named(kind)!.fields, desired, actual, options).changes.map(
    ({ reason, path, before, after: to }) => `${reason} /${path.join('/')}: ${shown(before)} -> ${shown(to)}`,
  );
}

function shown(value: SpecValue | undefined): string {
  return value === undefined ? 'unset' : JSON.stringify(value);
}

describe('a field with a known default', () => {
  const [old, wanted, moved] = [{ description: 'old' }, { description: 'new' }, { description: 'moved' }];

  test.each([
    ['that is as wanted is no change', wanted, wanted, after(old), []],
    ['that the manifest changed', wanted, old, after(old), ['changed /description: "old" -> "new"']],
    ['that drifted', old, moved, after(old), ['drifted /description: "moved" -> "old"']],
    ['that both changed', wanted, moved, after(old), ['both /description: "moved" -> "new"']],
    ['of which nothing is remembered', wanted, old, forgotten, ['unknown /description: "old" -> "new"']],
    ['that is left out goes back to it', {}, old, after(old), ['changed /description: "old" -> unset']],
    ['that is left out and was never set', {}, {}, forgotten, []],
  ])('%s', (_what, desired, actual, options, expected) => {
    expect(changes('HTTPSEdge', desired, actual, options)).toEqual(expected);
  });
});

test('only a change on both sides has what was last applied, if anything was', () => {
  const applied = (desired: SpecObject, actual: SpecObject, before: SpecObject): unknown[] => {
    const { changes: found } = compare(kinds.named('HTTPSEdge')!.fields, desired, actual, after(before));
    return found.map((change) => ('applied' in change ? change.applied : 'not shown'));
  };
  expect(applied({ description: 'new' }, { description: 'moved' }, { description: 'old' })).toEqual(['old']);
  expect(applied({ description: 'new' }, { description: 'moved' }, {})).toEqual(['not shown']);
  expect(applied({ description: 'new' }, { description: 'old' }, { description: 'old' })).toEqual(['not shown']);
  expect(applied({ description: 'old' }, { description: 'moved' }, { description: 'old' })).toEqual(['not shown']);
});

describe('a text that the service did not clear', () => {
  const left = (
    unclearedFields: NonNullable<NonNullable<CompareOptions['entry']>['unclearedFields']>,
    actual: SpecValue,
  ) => compare(kinds.named('HTTPSEdge')!.fields, {}, { description: actual }, after({}, { unclearedFields }));
  const held = { changes: [], unmanagedFields: { '/description': 'not-cleared' } };

  test('is held as long as the service shows it, whether the text is remembered or its digest', () => {
    expect(left({ '/description': 'old' }, 'old')).toMatchObject(held);
    expect(left({ '/description': 'old' }, new OutsideValue('old', { from_env: 'NOTE' }))).toMatchObject(held);
    const fromOutside = new OutsideValue('old', { from_env: 'NOTE' });
    expect(left({ '/description': { secret: digest('old'), from_env: 'NOTE' } }, fromOutside)).toMatchObject(held);
  });

  test('is cleared again once it is another text', () => {
    expect(left({ '/description': 'old' }, 'moved').changes).toMatchObject([{ path: ['description'] }]);
    expect(left({ '/metadata': 'old' }, 'old').changes).toMatchObject([{ path: ['description'] }]);
  });
});

test('a value from outside of a plain field is compared with what the service shows, and not with what is remembered', () => {
  const desired = { description: new OutsideValue('Shop', { from_env: 'NOTE' }) };
  const remembered = after(desired);
  expect(changes('HTTPSEdge', desired, { description: 'moved' }, remembered)).toHaveLength(1);
  expect(changes('HTTPSEdge', desired, {}, remembered)).toHaveLength(1);
  expect(changes('HTTPSEdge', desired, { description: 'Shop' }, remembered)).toEqual([]);
});

describe('a field whose default is not known', () => {
  const compared = (desired: SpecObject, actual: SpecObject, options: CompareOptions) =>
    compare(kinds.named('HTTPSEdge')!.fields, { tls_termination: desired }, { tls_termination: actual }, options);

  test('is held where the manifest leaves it out, with or without state', () => {
    for (const options of [forgotten, after({ tls_termination: {} })])
      expect(compared({}, { min_version: '1.2' }, options)).toMatchObject({
        changes: [],
        unmanagedFields: { '/tls_termination/min_version': 'unknown-default' },
      });
  });

  test('is reset where the manifest set it before', () => {
    const before = after({ tls_termination: { min_version: '1.3' } });
    expect(compared({}, { min_version: '1.3' }, before)).toMatchObject({
      changes: [{ path: ['tls_termination', 'min_version'], before: '1.3', after: undefined, reason: 'changed' }],
      unmanagedFields: {},
    });
    expect(compared({}, {}, before).changes).toEqual([]);
  });

  test('that depends on the time of creation is never reset', () => {
    const spec = { valid_until: '2027-01-01T00:00:00Z' };
    const { changes: found, unmanagedFields } = compare(
      kinds.named('SSHHostCertificate')!.fields,
      {},
      spec,
      after(spec),
    );
    expect(found).toEqual([]);
    expect(Object.keys(unmanagedFields)).toEqual(['/valid_after', '/valid_until']);
  });
});

describe('a module', () => {
  test('is compared field by field while it is on both sides', () => {
    const applied = { circuit_breaker: { num_buckets: 5, rolling_window: 60 } };
    const actual = { circuit_breaker: { enabled: true, num_buckets: 5, rolling_window: 30, tripped_duration: 10 } };
    const desired = { circuit_breaker: { num_buckets: 6, rolling_window: 60 } };
    expect(changes('HTTPSEdgeRoute', desired, actual, after(applied))).toEqual([
      'drifted /circuit_breaker/rolling_window: 30 -> 60',
      'changed /circuit_breaker/num_buckets: 5 -> 6',
    ]);
  });

  test('comes and goes as a whole', () => {
    expect(changes('HTTPSEdgeRoute', { compression: {} }, {}, after({}))).toEqual([
      'changed /compression: unset -> {}',
    ]);
    expect(changes('HTTPSEdgeRoute', {}, { compression: { enabled: true } }, after({}))).toEqual([
      'drifted /compression: {"enabled":true} -> unset',
    ]);
  });
});

test('a list changes as a whole, whatever the order', () => {
  const [a, b] = ['a.example.com:443', 'b.example.com:443'];
  expect(changes('HTTPSEdge', { hostports: [a, b] }, { hostports: [b, a] }, forgotten)).toEqual([]);
  expect(changes('HTTPSEdge', { hostports: [a] }, { hostports: [b, a] }, after({ hostports: [a, b] }))).toEqual([
    `changed /hostports: ["${b}","${a}"] -> ["${a}"]`,
  ]);
});

test('what an immutable field holds is immutable all the way down', () => {
  const { changes: found } = compare(
    kinds.named('ReservedAddr')!.fields,
    { region: 'eu', description: 'a' },
    {},
    forgotten,
  );
  expect(found.map(({ path, immutable }) => [path[0], immutable])).toEqual([
    ['description', false],
    ['region', true],
  ]);
});

describe('headers are compared one by one', () => {
  const headers = (add: SpecObject | null): SpecObject => ({ request_headers: { add } });

  test('whatever their case', () => {
    expect(
      changes(
        'HTTPSEdgeRoute',
        headers({ 'X-A': '1', b: '2' }),
        headers({ 'x-a': '1', c: '3' }),
        after(headers({ b: '1', c: '3' })),
      ),
    ).toEqual(['both /request_headers/add/b: unset -> "2"', 'changed /request_headers/add/c: "3" -> unset']);
  });

  test('of several the first in the alphabet is reported first', () => {
    expect(changes('HTTPSEdgeRoute', headers({ c: '1', a: '1', b: '1' }), headers({}), after({}))).toEqual([
      'changed /request_headers/add/a: unset -> "1"',
      'changed /request_headers/add/b: unset -> "1"',
      'changed /request_headers/add/c: unset -> "1"',
    ]);
  });

  test('an ignored one does not hold those beside it', () => {
    const options = { ...forgotten, ignore: ['/match', '/request_headers/add/a'] };
    expect(changes('HTTPSEdgeRoute', headers({ a: '1', b: '1' }), headers({ a: '2', b: '2' }), options)).toEqual([
      'unknown /request_headers/add/b: "2" -> "1"',
    ]);
  });

  test('an empty one is one all the same, and it is the manifest that asks for it', () => {
    expect(
      changes('HTTPSEdgeRoute', headers({ a: '', b: '1' }), headers({ b: '1' }), after(headers({ b: '1' }))),
    ).toEqual(['changed /request_headers/add/a: unset -> ""']);
  });

  test.each([
    ['that is on both sides', headers({ 'X-A': '1', b: '2' }), headers({ 'x-a': '9', b: '2' })],
    ['that only the service has', headers({ b: '2' }), headers({ 'x-a': '9', b: '2' })],
    ['that the service has alone', headers(null), headers({ 'x-a': '9' })],
    ['that only the manifest has', headers({ 'X-A': '1' }), headers(null)],
  ])('one %s is held under `ignore`, in whatever case it is written there', (_what, desired, actual) => {
    const options = { ...forgotten, ignore: ['/request_headers/add/X-a'] };
    const compared = compare(kinds.named('HTTPSEdgeRoute')!.fields, desired, actual, options);
    expect(compared.changes).toEqual([]);
    const { '/match_type': _, ...held } = compared.unmanagedFields;
    expect(Object.entries(held)).toEqual([[expect.stringMatching(/^\/request_headers\/add\/x-a$/i), 'ignored']]);
  });
});

test('what is under `ignore` is held, and so is all below it', () => {
  const options = { ...forgotten, ignore: ['/description', '/oauth'] };
  const desired = { description: 'a', oauth: { provider: { google: {} } }, match_type: 'exact_path', match: '/a' };
  const { changes: found, unmanagedFields } = compare(
    kinds.named('HTTPSEdgeRoute')!.fields,
    desired,
    { match_type: 'exact_path', match: '/b' },
    options,
  );
  expect(found.map(({ path }) => path)).toEqual([['match']]);
  expect(unmanagedFields).toEqual({
    '/description': 'ignored',
    '/oauth': 'ignored',
  });
});

describe('a secret', () => {
  const pointer = '/webhook_verification/secret';
  const hook = (text: string | null): SpecObject => ({
    webhook_verification: { provider: 'slack', secret: text === null ? null : new Secret(text) },
  });
  const compared = (wanted: string, read: string | null, options: CompareOptions) =>
    compare(kinds.named('HTTPSEdgeRoute')!.fields, hook(wanted), hook(read), options);

  test('that reads as it should is unchanged, remembered or not', () => {
    expect(compared('s3cret', 's3cret', forgotten)).toMatchObject({ changes: [], unverified: [] });
    expect(compared('aaaa', 'aaaa', after(hook('other')))).toMatchObject({ changes: [], unverified: [] });
  });

  test.each(['********', '*-*-*', '', null])('read as %j is judged by what is remembered of it', (read) => {
    expect(compared('s3cret', read, after(hook('s3cret')))).toMatchObject({ changes: [], unverified: [] });
    expect(compared('new one', read, after(hook('s3cret')))).toMatchObject({
      changes: [{ reason: 'changed', secret: true, immutable: false }],
      unverified: [],
    });
  });

  test('that cannot be read and is not remembered is unverified, and no change unless it is to be sent again', () => {
    expect(compared('s3cret', '****', forgotten)).toMatchObject({ changes: [], unverified: [pointer] });
    expect(compared('s3cret', '****', { ...forgotten, resendSecrets: true })).toMatchObject({
      changes: [{ reason: 'unknown', before: undefined, secret: true }],
      unverified: [],
    });
  });

  test('that reads as the service answered our own write is as unreadable as a mask', () => {
    const echoed = { [pointer]: digest('sha256:abc') };
    expect(compared('s3cret', 'sha256:abc', after(hook('s3cret'), { returnedSecrets: echoed })).changes).toEqual([]);
    expect(compared('s3cret', 'sha256:xyz', after(hook('s3cret'), { returnedSecrets: echoed })).changes).toMatchObject([
      { reason: 'drifted', secret: true },
    ]);
  });

  test('that somebody else changed is drift', () => {
    expect(compared('s3cret', 'theirs', after(hook('s3cret'))).changes).toMatchObject([{ reason: 'drifted' }]);
  });

  test('that the manifest no longer gives goes away', () => {
    const { fields } = kinds.named('HTTPSEdgeRoute')!;
    expect(compare(fields, hook(null), hook('s3cret'), after(hook('s3cret'))).changes).toMatchObject([
      { reason: 'changed', after: undefined, secret: true },
    ]);
  });

  test('is in no printed form of what was found', () => {
    expect(JSON.stringify([compared('s3cret', 'theirs', forgotten), compared('s3cret', null, forgotten)])).not.toMatch(
      /s3cret|theirs/,
    );
  });
});
