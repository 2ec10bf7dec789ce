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
      subject_common_name: commonNameOf(certificate),
      not_before: timeOf(new Date(certificate.validFrom)),
      not_after: timeOf(new Date(certificate.validTo)),
      key_usages: keyUsagesOf(certificate.raw),
      extended_key_usages: extendedKeyUsagesOf(certificate),
    };
  },
};

/** The common name as it is in the certificate, the last of several; `subject` escapes it. */
function commonNameOf(certificate: X509Certificate): string {
  // Node leaves it undefined for a subject without one, and makes a list of several, despite its types.
  const names = certificate.toLegacyObject().subject.CN as string | readonly string[] | undefined;
  return [names ?? ''].flat().at(-1) ?? '';
}
