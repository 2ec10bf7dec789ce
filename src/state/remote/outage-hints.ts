import { certificateFault } from '../../diagnostics/certificate-fault.ts';

/** What to do while a store that several machines share is unavailable. */
export const outageHints = {
  hint: 'run the command again once the store is available; sluice finds created resources by their ownership markers',
  hintInWatch: 'sluice retries automatically and finds created resources by their ownership markers',
} as const;

/** The same, where the error of its connection is known. */
export function hintsFor(cause: unknown): { readonly hint: string; readonly hintInWatch: string } {
  const { code } = Object(cause) as { readonly code?: unknown };
  const fault = typeof code === 'string' ? certificateFault(code) : undefined;
  if (fault === undefined) return outageHints;
  const hint =
    fault === 'untrusted'
      ? `set SLUICE_CA_FILE to a PEM file with the CA certificate for the state store (${String(code)})`
      : 'renew the certificate of the store, and check the clock of this machine';
  return { hint, hintInWatch: hint };
}
