import { expect, test } from 'vitest';
import { planOf, reported, type Given } from '../support.ts';

const now = Date.parse('2027-03-01T12:00:00Z');
const public_key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUTyz1HwHReFVvD5obVsALAgJRNarH4TRpNePnAS';

const given = (times: object, lifecycle: object = {}): Given => ({
  wanted: { 'SSHHostCertificate/bastion': { ssh_certificate_authority_id: 'sshca_1', public_key, ...times } },
  lifecycle: { 'SSHHostCertificate/bastion': lifecycle },
});

test.each<[string, object, object, string[]]>([
  ['begins in time', { valid_after: '2028-02-01T00:00:00Z' }, {}, []],
  ['has an end', { valid_after: '2028-06-01T00:00:00Z', valid_until: '2029-01-01T00:00:00Z' }, {}, []],
  ['leaves its end to the service', { valid_after: '2028-06-01T00:00:00Z' }, {}, []],
  ['begins after lifecycle.valid_for', { valid_after: '2027-04-01T00:00:00Z' }, { valid_for: 86_400 }, ['1d']],
])('a certificate that %s', (_, times, lifecycle, ends) => {
  const found = ends.map(
    (end) =>
      `INVALID_VALIDITY_PERIOD SSHHostCertificate/bastion: \`SSHHostCertificate.spec.valid_after\` is later than the end of the certificate, ${end} after its creation`,
  );
  expect(reported(planOf({ ...given(times, lifecycle), input: { now } }), 'error')).toEqual(found);
});
