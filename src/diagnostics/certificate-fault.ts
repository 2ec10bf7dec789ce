/** What the code of an error of TLS says about the certificate of the other side: no trusted authority has signed it, or it is not valid now. */
export function certificateFault(code: string): 'untrusted' | 'out-of-date' | undefined {
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return 'out-of-date';
  const isUntrusted = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_)/.test(code);
  return isUntrusted ? 'untrusted' : undefined;
}
