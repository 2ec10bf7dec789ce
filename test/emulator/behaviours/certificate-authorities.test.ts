import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { ed25519Key, selfSigned } from '../../../src/emulator/certificates/certificates-x509.ts';
import { partnersCa } from '../support/certificates.ts';
import { setUp, withRoute } from '../support/setup.ts';

test('an uploaded certificate is read', async () => {
  const { body } = await setUp().call('POST', '/certificate_authorities', { ca_pem: partnersCa });
  expect(body).toMatchObject({
    subject_common_name: 'Partners CA',
    not_before: '2026-11-21T09:29:46Z',
    not_after: '2126-10-28T09:29:46Z',
    extended_key_usages: ['clientAuth'],
  });
  expect([...(body['key_usages'] as readonly string[])].sort()).toEqual(['cRLSign', 'keyCertSign']);
});

test('the common name is the one in the certificate, whatever characters it has', async () => {
  const { call } = setUp({ profile: 'documented' });
  const name = 'Acme, Inc. "Root" + <CA>; #1\\';
  const pem = selfSigned(ed25519Key(Buffer.alloc(32, 1)), name, new Date('2027-01-01T00:00:00Z'));
  const { body } = await call('POST', '/certificate_authorities', { ca_pem: pem });
  expect(body['subject_common_name']).toBe(name);
});

test('the same certificate may be uploaded twice', async () => {
  const { call } = setUp();
  await call('POST', '/certificate_authorities', { ca_pem: partnersCa });
  expect((await call('POST', '/certificate_authorities', { ca_pem: partnersCa })).status).toBe(201);
});

test('the certificate that signs SAML requests is a real one, the same for all routes', async () => {
  const { call, edgePath, route } = await withRoute({ saml: { idp_metadata: '<EntityDescriptor/>' } });
  const pem = (route.body['saml'] as Record<string, unknown>)['request_signing_certificate_pem'];
  const certificate = new X509Certificate(String(pem));
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.subject).toBe('CN=saml.emulator.invalid');
  const other = await call('POST', `${edgePath}/routes`, {
    match_type: 'exact_path',
    match: '/other',
    saml: { idp_metadata: '<EntityDescriptor/>' },
  });
  expect(other.body).toHaveProperty('saml.request_signing_certificate_pem', pem);
});
