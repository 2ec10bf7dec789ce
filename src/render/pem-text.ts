import { X509Certificate } from 'node:crypto';
import { safeText } from '../diagnostics/safe-text.ts';

/** A certificate by its meaning: subject, end of validity, fingerprint. Undefined for what is none. */
export function pemText(pem: string): string | undefined {
  try {
    const certificate = new X509Certificate(pem);
    const subject = safeText(certificate.subject.replaceAll('\n', ', '));
    const until = new Date(certificate.validTo).toISOString().slice(0, 10);
    const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase().slice(0, 16);
    return `certificate of ${subject}, until ${until}, sha256 ${fingerprint}`;
  } catch {
    return undefined;
  }
}
