import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { SluiceError } from '../../diagnostics/errors.ts';
import type { GivenText } from './proxy.ts';

/** Certificates of authorities in PEM form. */
export interface Authorities extends GivenText {
  /** What Node trusts by NODE_EXTRA_CA_CERTS, which stays trusted. */
  readonly extra?: string;
}

/** What TLS connections trust: the authorities that Node trusts, and those of a PEM text. */
export function trustAlso(authorities: Authorities): SecureContext {
  const certificates = certificatesOf(authorities);
  // The option `ca` would replace what Node trusts. What is added replaces only what NODE_EXTRA_CA_CERTS adds.
  const context = createSecureContext();
  const inner = context.context as { readonly addCACert: (pem: string) => void };
  for (const certificate of certificates) inner.addCACert(certificate);
  return context;
}

/** The certificates of a PEM text, and of what Node trusts besides its own. */
export function certificatesOf({ text, from, extra = '' }: Authorities): readonly string[] {
  const certificates = certificatesIn(text);
  if (certificates.length === 0) throw badCaFile(from, 'the file contains no certificate in PEM format');
  certificates.forEach((certificate, index) => {
    if (!isCertificate(certificate))
      throw badCaFile(from, `the file contains an invalid certificate (number ${index + 1})`);
  });
  return [...certificatesIn(extra).filter(isCertificate), ...certificates];
}

/** The error of a file that should hold certificates and does not. */
export function badCaFile(from: string, why: string): SluiceError {
  return new SluiceError('INVALID_CA_FILE', `${from}: ${why}`, {
    hint: `set ${from} to the path of a PEM file that contains the CA certificate (-----BEGIN CERTIFICATE----- …)`,
  });
}

function certificatesIn(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
