import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import type { Actual } from '../../../src/model/actual.ts';
import {
  asName,
  naturalName,
  unique,
  variableNamed,
  type TakenNames,
} from '../../../src/manifest/write/write-names.ts';

test.each([
  ['Shop', 'shop'],
  ['shop.example.com:443', 'shop-example-com'],
  ['shop.example.com:8443', 'shop-example-com-8443'],
  ['a:443/b', 'a-443-b'],
  ['  --A  b__c--  ', 'a-b-c'],
  ['Café Zürich', 'cafe-zurich'],
  ['ﬁle ²', 'file-2'],
  ['日本', ''],
  ['', ''],
  ['x'.repeat(64), 'x'.repeat(63)],
  [`${'x'.repeat(62)} y`, 'x'.repeat(62)],
  [`-${'x'.repeat(64)}`, 'x'.repeat(63)],
])('%j as a name', (text, name) => {
  expect(asName(text)).toBe(name);
});

test('names that are taken get numbers, and stay as long as a name may be', () => {
  const taken: TakenNames = new Map();
  expect(['a', 'a', 'a-2', 'a', 'b'].map((name) => unique(name, taken))).toEqual(['a', 'a-2', 'a-2-2', 'a-3', 'b']);
  const long = 'x'.repeat(63);
  expect([unique(long, taken), unique(long, taken)]).toEqual([long, `${'x'.repeat(61)}-2`]);
  const hyphen = `${'x'.repeat(60)}-yy`;
  expect([unique(hyphen, taken), unique(hyphen, taken)]).toEqual([hyphen, `${'x'.repeat(60)}-2`]);
});

test('the name of a variable is made of the words that have letters or digits', () => {
  const taken: TakenNames = new Map();
  const named = (words: readonly (string | number)[], prefix = '') => variableNamed(words, prefix, taken);
  expect(named(['shop', '', 'oidc', 'client_secret'])).toBe('SHOP_OIDC_CLIENT_SECRET');
  expect(named(['shop', 'oidc', '/', 'client_secret'])).toBe('SHOP_OIDC_CLIENT_SECRET_2');
  expect(named(['a', 0, 'b'], 'tf-')).toBe('TF_A_0_B');
  expect(named([1, 'a'])).toBe('_1_A');
  expect(named([1, 'a'], 'x_')).toBe('X_1_A');
});

describe('a live resource without a name is named', () => {
  const name = (kind: string, spec: Actual['spec'], computed: Actual['computed'] = {}) => {
    const of = kinds.named(kind);
    if (of === undefined) throw new Error(kind);
    return naturalName(of, { kind, id: 'ID_1', spec, computed });
  };

  test.each([
    ['by the first of its host names', 'HTTPSEdge', { hostports: ['b:443', 'a:443'], description: 'x' }, 'a'],
    ['by its description where it has no other', 'HTTPSEdge', { hostports: [], description: 'My shop' }, 'my-shop'],
    ['by its id where neither can be in a name', 'HTTPSEdge', { hostports: ['/'], description: '日本' }, 'id-1'],
    ['by its id where it has neither', 'HTTPSEdge', {}, 'id-1'],
  ])('%s', (_, kind, spec, expected) => {
    expect(name(kind, spec)).toBe(expected);
  });
});
