import { X509Certificate } from 'node:crypto';
import { safeText } from '../../diagnostics/safe-text.ts';

/** A certificate, PEM or DER, by subject, validity and fingerprint; undefined for what is none. */
export function certificateText(bytes: string | Buffer): string | undefined {
  try {
    const certificate = new X509Certificate(bytes);
    const subject = safeText(certificate.subject.replaceAll('\n', ', '));
    const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase().slice(0, 16);
    const validity = `${day(certificate.validFrom)} to ${day(certificate.validTo)}`;
    return `certificate of ${subject}, ${validity}, sha256 ${fingerprint}`;
  } catch {
    return undefined;
  }
}

function day(time: string): string {
  return new Date(time).toISOString().slice(0, 10);
}
