import { textOf } from '../../kinds/value.ts';
import { X509Certificate } from 'node:crypto';
import { extendedKeyUsagesOf, keyUsagesOf } from '../certificates/certificates-x509.ts';
import { timeOf, type Behaviour } from '../world.ts';

/** An uploaded certificate is read for its subject, validity and usages. Where rules are not enforced it may be no certificate at all. */
export const certificateAuthorityBehaviour: Behaviour = {
  decide: ({ spec, own }, before) => {
    if (before !== undefined) return own;
    let certificate: X509Certificate;
    try {
      certificate = new X509Certificate(textOf(spec['ca_pem']));
    } catch {
      return { subject_common_name: '', key_usages: [], extended_key_usages: [] };
    }
    return {
      subject_common_name: /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? '',
      not_before: timeOf(new Date(certificate.validFrom)),
      not_after: timeOf(new Date(certificate.validTo)),
      key_usages: keyUsagesOf(certificate.raw),
      extended_key_usages: extendedKeyUsagesOf(certificate),
    };
  },
};
