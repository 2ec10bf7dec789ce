import { expect, test } from 'vitest';
import { OutsideValue, Secret } from '../../../src/kinds/value.ts';
import { manifestsHash } from '../../../src/stack/plan/plan-digest.ts';

/** The hash of a manifest with a secret. */
function hashWith(secret: Secret, description = 'shop'): string {
  const spec = { description, oidc: { client_secret: secret } };
  const resources = [{ address: 'HTTPSEdgeRoute/shop:/', spec, lifecycle: {} }];
  return manifestsHash({ resources, diagnostics: [] } as never, (text) => `digest of ${text}`);
}

test('a secret that is written in a manifest counts as what it is, one from outside as where it comes from', () => {
  expect(hashWith(new Secret('one'))).toBe(hashWith(new Secret('one')));
  expect(hashWith(new Secret('one'))).not.toBe(hashWith(new Secret('two')));
  expect(hashWith(new Secret('one', { from_env: 'A' }))).toBe(hashWith(new Secret('two', { from_env: 'A' })));
  expect(hashWith(new Secret('one', { from_env: 'A' }))).not.toBe(hashWith(new Secret('one', { from_env: 'B' })));
  expect(hashWith(new OutsideValue('one', { from_file: 'a' }))).toBe(
    hashWith(new OutsideValue('two', { from_file: 'a' })),
  );
  expect(hashWith(new Secret('one'), 'another')).not.toBe(hashWith(new Secret('one')));
});
