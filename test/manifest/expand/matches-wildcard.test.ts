import { expect, test } from 'vitest';
import { anyOf, matcherOf } from '../../../src/manifest/expand/matches-wildcard.ts';

test.each([
  ['shop', 'shop', true],
  ['shop', 'shops', false],
  ['shop', 'a-shop', false],
  ['*', '', true],
  ['*', 'shop', true],
  ['shop*', 'shop', true],
  ['shop*', 'a-shop', false],
  ['*shop', 'a-shop', true],
  ['*shop', 'shops', false],
  ['s*p', 'shop', true],
  ['s*p', 'sp', true],
  ['aba*aba', 'aba', false],
  ['aba*aba', 'abaaba', true],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['a*b*c', 'abbc', true],
  ['a*b*b', 'ab', false],
  ['a*b*b', 'abb', true],
  ['a*ab*b', 'aab', false],
  ['**', 'shop', true],
  ['a.p', 'abp', false],
  ['ü*', 'über', true],
])('the pattern %s on the name %s: %s', (pattern, name, expected) => {
  expect(matcherOf(pattern, new Set())(name)).toBe(expected);
  expect(anyOf(['another', pattern])(name)).toBe(expected);
});

test('a word that is a name means this name alone', () => {
  const matches = matcherOf('s*p', new Set(['s*p']));
  expect(['s*p', 'shop'].map(matches)).toEqual([true, false]);
});

test('of several patterns any matches, in any case; without patterns everything does, and of none nothing', () => {
  expect(['SHOP', 'console', 'other'].map(anyOf(['sh*', 'CONSOLE']))).toEqual([true, true, false]);
  expect(['shop', ''].map(anyOf(undefined))).toEqual([true, true]);
  expect(['shop', ''].map(anyOf([]))).toEqual([false, false]);
});
