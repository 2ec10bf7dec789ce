import { expect, test } from 'vitest';
import { maskOutside } from '../../../src/derive/external/mask-outside.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { StateObject } from '../../../src/model/state.ts';

const { fields } = kinds.named('HTTPSEdge')!;

test.each<[string, StateObject, string[]]>([
  ['no item came from outside', { hostports: ['a.example.com:443'] }, ['a.example.com:443', 'b.example.com:443']],
  [
    'an item did: all are masked that are not known to be plain',
    { hostports: ['a.example.com:443', { secret: 'digest', from_env: 'HOST' }] },
    ['a.example.com:443', '(from env HOST)'],
  ],
])('a list of which %s', (_, known, shown) => {
  const actual = { hostports: ['a.example.com:443', 'b.example.com:443'] };
  const { hostports } = maskOutside(fields, actual, known);
  expect((hostports as readonly unknown[]).map(String)).toEqual(shown);
});
