import { isUntrustedCertificate } from '../../diagnostics/untrusted-certificate.ts';

/** What to do while a store that several machines share is unavailable. */
export const outageHints = {
  hint: 'run the command again once the store is available; sluice finds created resources by their ownership markers',
  hintInWatch: 'sluice retries automatically and finds created resources by their ownership markers',
} as const;

/** The same, where the error of its connection is known. */
export function hintsFor(cause: unknown): { readonly hint: string; readonly hintInWatch: string } {
  const { code } = Object(cause) as { readonly code?: unknown };
  if (typeof code !== 'string' || !isUntrustedCertificate(code)) return outageHints;
  const hint = `set SLUICE_CA_FILE to a PEM file with the certificate of the CA that signed the certificate of the store (${code})`;
  return { hint, hintInWatch: hint };
}
