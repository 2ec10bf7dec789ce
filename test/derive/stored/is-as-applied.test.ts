import { expect, test } from 'vitest';
import { isAsApplied } from '../../../src/derive/stored/is-as-applied.ts';
import { toState } from '../../../src/derive/stored/to-state.ts';
import { kinds } from '../../../src/kinds/index.ts';
import { Ref, type SpecObject } from '../../../src/kinds/value.ts';

const { fields } = kinds.named('HTTPSEdge') ?? expect.unreachable('it is a kind');
const given = { idOf: () => undefined, digest: (text: string) => `digest of ${text}`, ignore: [] };
const last = toState(fields, { hostports: ['shop.example.com:443'], description: 'Shop' }, given.digest);
const isSame = (spec: SpecObject): boolean =>
  isAsApplied(fields, { hostports: ['shop.example.com:443'], ...spec }, last, given);

test('a manifest that has another value than was applied is not as applied', () => {
  expect([isSame({ description: 'Shop' }), isSame({ description: 'Other' }), isSame({})]).toEqual([true, false, false]);
});

test('values of other resources are not compared, of this stack or of another', () => {
  const outputOf = new Ref('', 'addr', { stack: 'network', owner: 'network-1', address: 'ReservedAddr/ssh' });
  for (const description of [new Ref('ReservedAddr/ssh', 'addr'), outputOf]) expect(isSame({ description })).toBe(true);
});
