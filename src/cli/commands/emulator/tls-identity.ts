import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { systemReason } from '../../../diagnostics/system-reason.ts';
import type { ListenAddress } from '../../../emulator/server.ts';
import { readSafely } from '../../../files/safe-file.ts';
import { UsageError } from '../../../stack/usage-error.ts';

/** The certificate and key to serve with, from the files that --tls-cert and --tls-key name; undefined without them. No message repeats what is in them. */
export function tlsIdentity(
  { tlsCert, tlsKey }: { readonly tlsCert?: string; readonly tlsKey?: string },
  cwd: string,
): ListenAddress['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsKey === undefined) throw new UsageError('--tls-cert needs --tls-key', 'name the file of its private key');
  if (tlsCert === undefined) throw new UsageError('--tls-key needs --tls-cert', 'name the file of its certificate');
  const cert = content('--tls-cert', tlsCert, cwd);
  const key = content('--tls-key', tlsKey, cwd);
  if (!certificateIn(cert, tlsCert).checkPrivateKey(keyIn(key, tlsKey)))
    throw new UsageError(
      `the key in ${tlsKey} does not belong to the certificate in ${tlsCert}`,
      'where --tls-cert holds a chain, the certificate of the server comes first',
    );
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new UsageError(`TLS does not accept the certificate in ${tlsCert} with its key (${systemReason(error)})`);
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
    throw new UsageError(`--tls-cert: ${file} contains no certificate in PEM format`, '-----BEGIN CERTIFICATE----- …');
  }
}

function keyIn(pem: string, file: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    const isEncrypted = /^(-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED)/m.test(pem);
    throw new UsageError(
      `--tls-key: ${file} holds ${isEncrypted ? 'an encrypted private key' : 'no private key in PEM form'}`,
      isEncrypted ? 'decrypt it first: openssl pkey -in FILE -out FILE' : '-----BEGIN PRIVATE KEY----- …',
    );
  }
}
