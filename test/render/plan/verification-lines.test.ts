import { expect, test } from 'vitest';
import { verificationDetails, verificationLine } from '../../../src/render/plan/verification-lines.ts';
import { change, field } from '../plans.ts';

const nothing = { requests: 2, failures: [], remaining: [], assumptions: [] };

test('a plan that converges is one line', () => {
  const verified = { ...nothing, converges: true };
  expect(verificationLine(verified)).toBe('verified: converges in one apply, 2 API requests');
  expect(verificationDetails(verified)).toEqual([]);
});

test('what would fail, what would remain and what is assumed are lines of their own', () => {
  const failed = {
    ...nothing,
    converges: false,
    failures: [{ address: 'HTTPSEdge/shop', message: 'PATCH is refused' }, { message: 'the run ends early' }],
    remaining: [
      change({ address: 'CertificateAuthority/partners', action: 'delete' }),
      change({ address: 'HTTPSEdge/shop', action: 'update', fields: [field('description', 'a', 'b')] }),
    ],
    assumptions: ['the existence of 1 id outside this API'],
  };
  expect(verificationLine(failed)).toBe('verification failed: 2 changes would fail, 2 changes would remain');
  expect(verificationDetails(failed)).toEqual([
    'HTTPSEdge/shop: PATCH is refused',
    'the run ends early',
    'remaining: - CertificateAuthority/partners',
    'remaining: ~ HTTPSEdge/shop /description',
    'assumed, not verified: the existence of 1 id outside this API',
  ]);
});
