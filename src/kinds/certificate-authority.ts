import type { Kind } from './kind.ts';
import { caCertificate } from './checks.ts';
import { computed, description, identity, immutable, instant, metadata, required, setOf, text } from './fields.ts';

/** An uploaded CA certificate, used for mutual TLS. */
export const certificateAuthority: Kind = {
  name: 'CertificateAuthority',
  doc: 'An uploaded CA certificate (PEM), used for mutual TLS.',
  path: '/certificate_authorities',
  listKey: 'certificate_authorities',
  idPrefix: 'ca',
  operations: { create: 'described', get: 'described', list: 'described', update: 'described', delete: 'described' },
  fields: {
    ...identity,
    description: description(),
    metadata: metadata(),
    ca_pem: immutable(
      required(
        text('Raw PEM of the authority certificate.', { compare: 'pem', format: 'pem', checks: [caCertificate] }),
      ),
    ),
    subject_common_name: computed(text('Subject common name.')),
    not_before: computed(instant('Start of validity.')),
    not_after: computed(instant('End of validity.')),
    key_usages: computed(setOf(text('A usage.'), 'What the CA private key may be used for.')),
    extended_key_usages: computed(setOf(text('A usage.'), 'Extended key usages of the CA private key.')),
  },
  rules: [],
  unique: [],
  duplicateBy: 'ca_pem',
  printerColumns: ['subject_common_name'],
};
