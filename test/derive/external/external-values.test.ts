/* Values that come from variables and files: found in state, masked where the service shows them, hidden in a snapshot. */
import { describe, expect, test } from 'vitest';
import { externalValuesIn, holdsOutside } from '../../../src/derive/external/external-values-in.ts';
import { hiddenText, hideDigests, hideSecrets, holdsDigest } from '../../../src/derive/external/hidden-values.ts';
import { maskExternal } from '../../../src/derive/external/mask-external.ts';
import { kinds } from '../../../src/kinds/index.ts';
import { OutsideValue, Secret, type SpecObject } from '../../../src/kinds/value.ts';

const digest = (text: string): string => `digest of ${text}`;
const route = kinds.named('HTTPSEdgeRoute')!;
const edge = kinds.named('HTTPSEdge')!;
const fromEnv = { from_env: 'A' } as const;

test('the external values of a remembered spec are found at any depth, each with its kind and field', () => {
  const found = externalValuesIn('HTTPSEdge', {
    description: { secret: 'one', from_env: 'A' },
    oidc: { names: [{ secret: 'two', from_file: 'b.txt' }, 'plain'], client_secret: { secret: 'no origin' } },
  });
  expect(found).toEqual([
    { kind: 'HTTPSEdge', field: 'description', secret: 'one', from_env: 'A' },
    { kind: 'HTTPSEdge', field: 'oidc', secret: 'two', from_file: 'b.txt' },
  ]);
});

test.each<[string, SpecObject, boolean]>([
  ['nothing', {}, false],
  ['a secret that is written out', { a: new Secret('x') }, false],
  ['a value from outside in a list of a group', { a: { b: ['c', new OutsideValue('x')] } }, true],
])('whether a spec has a value from outside, with %s', (_, spec, isThere) => {
  expect(holdsOutside(spec)).toBe(isThere);
});

describe('a text of the service that equals a value from outside', () => {
  const mask = maskExternal(
    [
      { kind: 'HTTPSEdge', field: 'hostports', secret: digest('shop.example.com:443'), from_env: 'HOST' },
      { kind: 'HTTPSEdge', field: 'hostports', secret: digest('www.example.com:443'), from_env: 'WWW' },
      { kind: 'HTTPSEdgeRoute', field: 'request_headers', secret: digest('token-1'), from_env: 'TOKEN' },
      { kind: 'HTTPSEdgeRoute', field: 'oidc', secret: digest('client-1'), from_env: 'CLIENT' },
    ],
    digest,
  );
  const shown = (spec: SpecObject, known?: SpecObject) => mask(edge, spec, known as never);

  test('is masked in an item of a list, whatever its letter case', () => {
    const { hostports } = shown({ hostports: ['SHOP.example.com:443', 'b.example.com:443', 'www.example.com:443'] });
    expect((hostports as readonly unknown[]).map(String)).toEqual([
      '(from env HOST)',
      'b.example.com:443',
      '(from env WWW)',
    ]);
  });

  test('is masked in a group, and in an entry of a mapping', () => {
    const { request_headers, oidc } = mask(
      route,
      {
        request_headers: { add: { 'X-Token': 'token-1', 'X-Other': 'token-2' } },
        oidc: { client_id: 'client-1', issuer: '', maximum_duration: 60, unknown: 'client-1' },
      },
      undefined,
    ) as { request_headers: { add: Record<string, unknown> }; oidc: Record<string, unknown> };
    expect(String(request_headers.add['X-Token'])).toBe('(from env TOKEN)');
    expect(request_headers.add['X-Other']).toBe('token-2');
    expect(String(oidc['client_id'])).toBe('(from env CLIENT)');
    expect(oidc).toMatchObject({ issuer: '', maximum_duration: 60, unknown: 'client-1' });
  });

  test('is left where it is in another field or another kind', () => {
    expect(shown({ description: 'shop.example.com:443' })).toEqual({ description: 'shop.example.com:443' });
    expect(mask(route, { hostports: ['shop.example.com:443'] }, undefined)).toEqual({
      hostports: ['shop.example.com:443'],
    });
  });

  test('is left where state remembers the field as it is, as plain text', () => {
    const spec = { hostports: ['shop.example.com:443'] };
    expect(shown(spec, spec)).toEqual(spec);
    expect(shown(spec, { hostports: ['other.example.com:443'] })).not.toEqual(spec);
  });

  test('is nothing where there are no values from outside: the spec is returned itself', () => {
    const spec = { description: 'Shop' };
    expect(maskExternal([], digest)(edge, spec, undefined)).toBe(spec);
  });
});

describe('in a snapshot', () => {
  test('all secrets have one text, and values from outside one for each source, without a digit', () => {
    expect(hiddenText()).toBe('hidden');
    expect(hiddenText(fromEnv)).not.toBe(hiddenText({ from_env: 'B' }));
    expect(hiddenText(fromEnv)).toMatch(/^hidden[a-z]{24}$/);
  });

  test('secrets and values from outside keep their origin but not their text, at any depth', () => {
    const { plain, list } = hideSecrets({
      plain: 'a',
      list: [{ secret: new Secret('hunter2', fromEnv) }, new OutsideValue('hunter2', fromEnv), new OutsideValue('x')],
    }) as unknown as { plain: string; list: readonly [{ secret: Secret }, OutsideValue, OutsideValue] };
    expect(plain).toBe('a');
    expect(list[0].secret).toBeInstanceOf(Secret);
    expect(list[0].secret).not.toBeInstanceOf(OutsideValue);
    expect([list[0].secret.reveal(), list[0].secret.origin]).toEqual(['hidden', fromEnv]);
    expect(list[1]).toBeInstanceOf(OutsideValue);
    expect([list[1].reveal(), list[1].origin]).toEqual([hiddenText(fromEnv), fromEnv]);
    expect(list[2].reveal()).toBe(hiddenText({ from_env: '' }));
  });

  test('digests in state are of the texts that are hidden, and what only resembles a digest stays', () => {
    const state = {
      a: { secret: 'real' },
      b: [{ secret: 'real', from_env: 'A' }],
      c: { secret: 'word', other: 1 },
      d: { secret: 1 },
      e: null,
    };
    expect(hideDigests(state, digest)).toEqual({
      ...state,
      a: { secret: digest('hidden') },
      b: [{ secret: digest(hiddenText(fromEnv)), from_env: 'A' }],
    });
  });

  test.each([
    ['a digest', { secret: 'x' }, true],
    ['a digest with its origin in a list', { a: [{ secret: 'x', from_file: 'f' }] }, true],
    ['a group with a field of that name', { secret: 'x', other: 'y' }, false],
    ['a text', 'x', false],
    ['nothing', undefined, false],
    ['null', null, false],
  ])('whether a value of state has a digest in it, with %s', (_, value, isThere) => {
    expect(holdsDigest(value)).toBe(isThere);
  });
});
