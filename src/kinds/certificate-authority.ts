import type { Kind } from './kind.ts';
import { caCertificate } from './checks.ts';
import { computed, description, identity, immutable, instant, metadata, required, setOf, text } from './fields.ts';

/** An uploaded CA certificate, used for mutual TLS. */
export const certificateAuthority: Kind = {
  name: 'CertificateAuthority',
  doc: 'The certificate of a CA whose client certificates an edge accepts (mutual TLS).',
  path: '/certificate_authorities',
  listKey: 'certificate_authorities',
  idPrefix: 'ca',
  operations: { create: 'described', get: 'described', list: 'described', update: 'described', delete: 'described' },
  fields: {
    ...identity,
    description: description(),
    metadata: metadata(),
    ca_pem: immutable(
      required(text('The CA certificate in PEM format.', { compare: 'pem', format: 'pem', checks: [caCertificate] })),
    ),
    subject_common_name: computed(text('Common name in the subject of the CA certificate.')),
    not_before: computed(instant('Time from which the CA certificate is valid.')),
    not_after: computed(instant('Time until which the CA certificate is valid.')),
    key_usages: computed(setOf(text('A usage.'), 'Key usages that the CA certificate lists.')),
    extended_key_usages: computed(setOf(text('A usage.'), 'Extended key usages that the CA certificate lists.')),
  },
  rules: [],
  unique: [],
  duplicateBy: 'ca_pem',
  printerColumns: ['subject_common_name'],
};
