import { expect, test } from 'vitest';
import { Secret, type SecretOrigin } from '../../../src/kinds/value.ts';
import { planDigest } from '../../../src/stack/plan/plan-digest.ts';
import { backend, oidc, planOf } from '../../plan/support.ts';

const edge = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };

/** The digest of a plan that sets a secret. */
function digestWith(secret: string, origin?: SecretOrigin, version = '1.0.0'): string {
  const route = { ...backend, oidc: { ...oidc.oidc, client_secret: new Secret(secret, origin) } };
  const plan = planOf({
    wanted: { ...edge, 'HTTPSEdgeRoute/shop:/': route },
    ours: { ...edge, 'HTTPSEdgeRoute/shop:/': backend },
  });
  const config = { stack: { name: 'company', id: '5c1e7a90' }, baseUrl: 'https://api.example.com' };
  return planDigest({ version } as never, config as never, plan);
}

test('a secret of fewer than sixteen characters counts by its origin alone, which nobody can try values out on', () => {
  const [one, other] = ['x'.repeat(15), 'y'.repeat(15)];
  expect(digestWith(one)).toBe(digestWith(other));
  expect(digestWith(one, { from_env: 'ONE' })).toBe(digestWith(other, { from_env: 'ONE' }));
  expect(digestWith(one, { from_env: 'OTHER' })).not.toBe(digestWith(one, { from_env: 'ONE' }));
});

test('a longer secret counts by what it is, and the version of sluice counts, too', () => {
  const long = 'x'.repeat(16);
  expect(digestWith(long)).toBe(digestWith(long));
  expect(digestWith('y'.repeat(16))).not.toBe(digestWith(long));
  expect(digestWith(long, undefined, '1.0.1')).not.toBe(digestWith(long));
});
