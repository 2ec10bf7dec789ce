import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { systemReason } from '../../../diagnostics/system-reason.ts';
import type { ListenAddress } from '../../../emulator/http/server.ts';
import { readSafely } from '../../../files/safe-file.ts';
import { UsageError } from '../../../stack/usage-error.ts';

/** The certificate and key from the files of --tls-cert and --tls-key; undefined without them. No message repeats their content. */
export function tlsIdentity(
  { tlsCert, tlsKey }: { readonly tlsCert?: string; readonly tlsKey?: string },
  cwd: string,
): ListenAddress['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsKey === undefined)
    throw new UsageError('--tls-cert requires --tls-key', 'pass the file of the private key with --tls-key');
  if (tlsCert === undefined)
    throw new UsageError('--tls-key requires --tls-cert', 'pass the file of the certificate with --tls-cert');
  const cert = content('--tls-cert', tlsCert, cwd);
  const key = content('--tls-key', tlsKey, cwd);
  if (!certificateIn(cert, tlsCert).checkPrivateKey(keyIn(key, tlsKey)))
    throw new UsageError(
      `--tls-key: the key in ${tlsKey} does not match the certificate in ${tlsCert}`,
      'in a certificate chain, put the server certificate first',
    );
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new UsageError(
      `--tls-cert: the certificate in ${tlsCert} or its key is not accepted by TLS: ${systemReason(error)}`,
    );
  }
  return { cert, key };
}

function content(flag: string, file: string, cwd: string): string {
  const read = readSafely(resolve(cwd, file));
  if ('code' in read) throw new UsageError(`${flag}: ${file} ${read.message}`);
  return read.text;
}

function certificateIn(pem: string, file: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new UsageError(
      `--tls-cert: ${file} does not contain a PEM certificate`,
      'the file must start with -----BEGIN CERTIFICATE-----',
    );
  }
}

function keyIn(pem: string, file: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    const isEncrypted = /^(-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED)/m.test(pem);
    throw new UsageError(
      `--tls-key: ${file} ${isEncrypted ? 'contains an encrypted private key' : 'does not contain a PEM private key'}`,
      isEncrypted
        ? 'decrypt the private key: openssl pkey -in FILE -out FILE'
        : 'convert the private key to PEM: openssl pkey -in FILE -out FILE',
    );
  }
}
