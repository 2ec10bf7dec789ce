import { X509Certificate } from 'node:crypto';
import { safeText } from '../diagnostics/safe-text.ts';
import type { FieldFormat } from '../kinds/kind.ts';

/** A certificate found in a text, and when it ends, in milliseconds since 1970. */
export interface CertificateEnd {
  readonly subject: string;
  readonly ends: number;
}

/** Whether texts of a format may contain certificates that somebody trusts. */
export function mayHaveEnd(format: FieldFormat | undefined): boolean {
  return format === 'pem' || format === 'saml';
}

/** The certificates that somebody trusts by a text of a format, and when each ends; what cannot be read is left out. */
export function certificateEnds(format: FieldFormat | undefined, text: string): CertificateEnd[] {
  if (format === 'pem')
    return [...text.matchAll(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g)].flatMap(([block]) =>
      endOf(block),
    );
  return format === 'saml' ? signingCertificates(text).flatMap(endOf) : [];
}

/** The certificates by which a provider signs (SAML 2.0 metadata, 2.4.1.1): those of keys that are not for encryption alone. */
function signingCertificates(xml: string): Buffer[] {
  const [, ...keys] = xml.split(/<(?:[\w.-]+:)?KeyDescriptor\b/);
  return keys.flatMap((key) => {
    const [attributes = '', ...inside] = key.split('>');
    if (/\buse\s*=\s*["']encryption["']/.test(attributes)) return [];
    const [own = ''] = inside.join('>').split(/<\/(?:[\w.-]+:)?KeyDescriptor\b/);
    return [...own.matchAll(/<(?:[\w.-]+:)?X509Certificate\b[^<>]*>([^<]*)/g)].map(([, base64 = '']) =>
      Buffer.from(base64, 'base64'),
    );
  });
}

function endOf(certificate: string | Buffer): CertificateEnd[] {
  try {
    const { subject, validTo } = new X509Certificate(certificate);
    const ends = Date.parse(validTo);
    return Number.isNaN(ends) ? [] : [{ subject: safeText(subject.replaceAll('\n', ', ')), ends }];
  } catch {
    return [];
  }
}
