import { expect, test } from 'vitest';
import { hintsFor, outageHints } from '../../../src/state/remote/outage-hints.ts';

test.each([
  ['an unknown authority', 'SELF_SIGNED_CERT_IN_CHAIN', 'set SLUICE_CA_FILE'],
  ['a certificate that has expired', 'CERT_HAS_EXPIRED', 'renew the certificate'],
  ['a certificate that is not valid yet', 'CERT_NOT_YET_VALID', 'renew the certificate'],
])('the error of a store with %s says what helps', (_, code, advice) => {
  const { hint, hintInWatch } = hintsFor(Object.assign(new Error('no'), { code }));
  expect([hint, hintInWatch]).toEqual([expect.stringContaining(advice), expect.stringContaining(advice)]);
});

test('any other outage is waited for', () => {
  expect(hintsFor(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }))).toBe(outageHints);
});
