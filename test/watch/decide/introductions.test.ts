import { expect, test } from 'vitest';
import { Introductions } from '../../../src/watch/decide/introductions.ts';

const shop = 'HTTPSEdge/shop';
const changed = { address: shop, cause: 'revision' } as const;
const [first, second, third] = ['a', 'b', 'c'].map((content) => ({ content, commit: content.repeat(40) }));

test('a change keeps the revision that brought it while later revisions leave it as it is', () => {
  const seen = new Introductions();
  expect(seen.update([], first!, () => '1').size).toBe(0);
  expect(seen.update([changed], second!, () => '2').get(shop)).toEqual({ revision: second, isExact: true });
  expect(seen.update([changed], third!, () => '2').get(shop)).toEqual({ revision: second, isExact: true });
  expect(seen.update([changed], third!, () => '3').get(shop)).toEqual({ revision: third, isExact: true });
});

test('a change that is there at the first revision may be older, also when it is decided again', () => {
  const seen = new Introductions();
  for (const _ of [1, 2])
    expect(seen.update([changed], first!, () => '1').get(shop)).toEqual({ revision: first, isExact: false });
  seen.clear();
  expect(seen.update([changed], second!, () => '1').get(shop)).toEqual({ revision: second, isExact: false });
});

test('drift and renewals come from no revision', () => {
  const seen = new Introductions();
  seen.update([], first!, () => undefined);
  for (const cause of ['drift', 'renewal'] as const)
    expect(seen.update([{ address: shop, cause }], second!, () => '1').size).toBe(0);
  expect(seen.update([{ address: shop, cause: 'removal' }], second!, () => undefined).size).toBe(1);
});
