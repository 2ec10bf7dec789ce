import { randomBytes } from 'node:crypto';
import { ed25519Key, selfSigned } from '../certificates/certificates-x509.ts';

/** A certificate with its key as PEM, for a server that nobody knows: clients have to trust it unseen. */
export function selfSignedIdentity(now: Date): { readonly cert: string; readonly key: string } {
  const key = ed25519Key(randomBytes(32));
  return {
    cert: selfSigned(key, 'gateway of the emulator', now),
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
