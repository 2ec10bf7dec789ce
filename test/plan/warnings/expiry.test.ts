import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { certificateEnds } from '../../../src/derive/certificate-ends.ts';
import { planOf, reported, type Given } from '../support.ts';

const DAY = 86_400_000;
const pem = readFileSync(new URL('../../generators/data/partners-ca.pem', import.meta.url), 'utf8').trim();
const [{ ends } = { ends: NaN }] = certificateEnds('pem', pem);
const base64 = pem.replace(/-----[^-]+-----/g, '');
const key = (use: string) =>
  `<md:KeyDescriptor${use}><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></md:KeyDescriptor>`;
const provider = (...uses: string[]) => `<md:EntityDescriptor>${uses.map(key).join('')}</md:EntityDescriptor>`;

/** Warnings of a plan made so many days before the certificate of these tests ends. */
function warnings(given: Given, daysLeft: number, end = ends): string[] {
  return reported(planOf({ ...given, input: { now: end - daysLeft * DAY } }), 'warning').filter((line) =>
    line.startsWith('EXPIRE'),
  );
}

describe('an authority in a manifest', () => {
  const given: Given = { wanted: { 'CertificateAuthority/partners': { ca_pem: pem } } };

  test.each<[number, string[]]>([
    [31, []],
    [
      30,
      [
        'EXPIRES_SOON CertificateAuthority/partners: `ca_pem`: the certificate of CN=partners CA expires on 2036-11-18, in 30 days',
      ],
    ],
    [
      0.5,
      [
        'EXPIRES_SOON CertificateAuthority/partners: `ca_pem`: the certificate of CN=partners CA expires on 2036-11-18, in 12 hours',
      ],
    ],
    [
      -20,
      [
        'EXPIRED CertificateAuthority/partners: `ca_pem`: the certificate of CN=partners CA expired on 2036-11-18, 20 days ago',
      ],
    ],
  ])('%d days before its end', (daysLeft, expected) => {
    expect(warnings(given, daysLeft)).toEqual(expected);
  });

  test('is judged by no time where none is given', () => {
    expect(reported(planOf(given))).toEqual([]);
  });
});

describe('an identity provider', () => {
  const asks = (idp_metadata: string, more: object = {}): Given => ({
    wanted: {
      'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
      'HTTPSEdgeRoute/shop:/': { saml: { idp_metadata, ...more } },
    },
  });

  test.each<[string, string, number]>([
    ['that signs with what ends', provider(' use="signing"'), 1],
    ['that does not say what its key is for', provider(''), 1],
    ['whose key for encryption ends', provider(" use='encryption'"), 0],
    ['with keys of every sort', provider(' use="encryption"', ' use="signing"', ''), 2],
    ['without a key', '<EntityDescriptor/>', 0],
    ['whose key cannot be read', '<KeyDescriptor><X509Certificate>abc</X509Certificate></KeyDescriptor>', 0],
  ])('%s', (_what, metadata, count) => {
    expect(warnings(asks(metadata), 3)).toHaveLength(count);
  });

  test('that is switched off is no matter', () => {
    expect(warnings(asks(provider('')), 3)[0]).toContain(
      '`saml.idp_metadata`: the certificate of CN=partners CA expires on',
    );
    expect(warnings(asks(provider(''), { enabled: false }), 3)).toEqual([]);
  });

  test('of a great many keys is read in no time to speak of', () => {
    expect(certificateEnds('saml', '<KeyDescriptor '.repeat(60_000))).toEqual([]);
  });
});

describe('an issued certificate', () => {
  const end = Date.parse('2026-06-01T00:00:00Z');
  const certificate = {
    'SSHHostCertificate/bastion': {
      ssh_certificate_authority_id: 'sshca_1',
      public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIJjIbroJkak329vP7z36PpVOQifX5y76A+H0/pjS6zj',
      principals: ['bastion.example.com'],
    },
  };
  const issued = {
    'SSHHostCertificate/bastion': { ...certificate['SSHHostCertificate/bastion'], valid_until: '2026-06-01T00:00:00Z' },
  };
  const given: Given = { wanted: certificate, ours: issued };

  test('that nobody renews is reported in time', () => {
    expect(warnings(given, 40, end)).toEqual([]);
    expect(warnings(given, 12, end)).toEqual([
      'EXPIRES_SOON SSHHostCertificate/bastion: `valid_until`: the certificate that the service issued expires on 2026-06-01, in 12 days',
    ]);
  });

  test('that is renewed in time is not', () => {
    expect(
      warnings({ ...given, lifecycle: { 'SSHHostCertificate/bastion': { renew_before: 3600 } } }, 12, end),
    ).toEqual([]);
  });
});
