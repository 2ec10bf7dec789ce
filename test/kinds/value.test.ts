import { format, inspect } from 'node:util';
import { expect, test } from 'vitest';
import { isSpecObject, Ref, Secret } from '../../src/kinds/value.ts';

test('a secret shows itself nowhere but where it is revealed', () => {
  const secret = new Secret('s3cret', { from_env: 'TOKEN' });
  expect(secret.reveal()).toBe('s3cret');
  expect(secret.origin).toEqual({ from_env: 'TOKEN' });
  const shown = [
    String(secret),
    JSON.stringify({ secret }),
    inspect({ deep: { secret } }, { depth: 9, showHidden: true }),
    format('%s %o %j %O', secret, secret, secret, secret),
    JSON.stringify(Object.entries(secret)),
    JSON.stringify(structuredClone(secret)),
  ].join('\n');
  expect(shown).toContain('(secret)');
  expect(shown).not.toContain('s3cret');
});

test('a reference prints as a manifest writes it', () => {
  expect(JSON.stringify(new Ref('HTTPSEdge/shop'))).toBe('{"ref":"HTTPSEdge/shop"}');
});

test('a group of values is distinguished from scalars, lists, references and secrets', () => {
  expect([{}, { a: 1 }].map(isSpecObject)).toEqual([true, true]);
  expect([null, undefined, 'a', 1, [], new Ref('A/b'), new Secret('s')].map(isSpecObject)).not.toContain(true);
});
