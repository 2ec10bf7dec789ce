/** Whether the code of an error of TLS says that no trusted authority has signed the certificate of the other side. */
export function isUntrustedCertificate(code: string): boolean {
  return /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_)/.test(code);
}
