import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { reportOf } from '../support/manifests.ts';

const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const secret = key.split('\n')[1] ?? '';

describe('a private key where something public belongs is refused without being shown', () => {
  test.each<[string, string, string]>([
    ['CertificateAuthority', 'ca_pem', '{}'],
    ['SSHHostCertificate', 'public_key', '{ssh_certificate_authority_id: sshca_1}'],
    ['ReservedAddr', 'region', '{}'],
    ['SSHHostCertificate', 'valid_after', '{ssh_certificate_authority_id: sshca_1}'],
    ['HTTPSEdgeRoute', 'saml.idp_metadata', '{edge_id: edghts_1, match_type: path_prefix, match: /}'],
  ])('%s %s, under either profile', async (kind, field, rest) => {
    const [name = '', inner] = field.split('.');
    for (const form of [JSON.stringify(key), `[${JSON.stringify(key)}]`, `|\n${key.replace(/^/gm, '      ')}`]) {
      const value =
        inner === undefined ? form : form.startsWith('|') ? `\n    ${inner}: ${form}` : `{${inner}: ${form}}`;
      const text = `apiVersion: sluice/v1\nkind: ${kind}\nmetadata: {name: a}\nspec:\n  ${rest.slice(1, -1).replaceAll(', ', '\n  ')}\n  ${name}: ${value}\n`;
      for (const profile of ['completed', 'documented'] as const) {
        const reported = await reportOf(text, { profile });
        expect(reported).toContain('error[');
        expect(reported).not.toContain(secret.slice(0, 12));
      }
    }
  });
});
