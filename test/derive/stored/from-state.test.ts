import { describe, expect, test } from 'vitest';
import { fromState, knownOf, originInState } from '../../../src/derive/stored/from-state.ts';
import { OutsideValue, Secret } from '../../../src/kinds/value.ts';

describe('a remembered value', () => {
  test('that is plain is itself, in lists and groups too', () => {
    const value = { region: 'eu', ports: [80, 443], tls: { on: true, names: [] } };
    expect(fromState(value)).toEqual(value);
  });

  test('that is a digest is a secret, and the digest is not its text', () => {
    const found = fromState({ oidc: { client_secret: { secret: 'digest' } } }) as { oidc: { client_secret: Secret } };
    expect(found.oidc.client_secret).toBeInstanceOf(Secret);
    expect(found.oidc.client_secret).not.toBeInstanceOf(OutsideValue);
    expect(found.oidc.client_secret.reveal()).not.toContain('digest');
  });

  test('that came from outside is shown by its origin, in a list too', () => {
    const [first, second] = fromState([
      { secret: 'digest', from_env: 'HOST' },
      { secret: 'digest', from_file: 'host.txt' },
    ]) as readonly [OutsideValue, OutsideValue];
    expect([String(first), String(second)]).toEqual(['(from env HOST)', '(from file host.txt)']);
  });

  test.each([
    [{ secret: 1 }],
    [{ text: 'a' }],
    [{ secret: 'a', other: 'b' }],
    [{ secret: 'a', from_env: 'B', other: 'c' }],
    [null],
  ])('that only resembles a digest is a plain one: %j', (value) => {
    expect(fromState(value)).toEqual(value);
  });
});

test.each([
  [{ secret: 'digest', from_env: 'HOST' }, { from_env: 'HOST' }],
  [{ secret: 'digest', from_file: 'a.txt' }, { from_file: 'a.txt' }],
  [{ secret: 'digest', from_file: 1 }, undefined],
  [{ secret: 'digest', other: 'HOST' }, undefined],
  [{ secret: 'digest' }, undefined],
  [{ secret: 1, from_env: 'HOST' }, undefined],
  [null, undefined],
  ['digest', undefined],
])('the origin in state of %j is %j', (value, origin) => {
  expect(originInState(value)).toEqual(origin);
});

test('what an entry remembers is its spec, and what the service would not clear by the name of its field', () => {
  expect(knownOf({ spec: { region: 'eu' } })).toEqual([{ region: 'eu' }]);
  expect(knownOf({ spec: { region: 'eu' }, unclearedFields: { '/description': 'left' } })).toEqual([
    { region: 'eu' },
    { description: 'left' },
  ]);
});
