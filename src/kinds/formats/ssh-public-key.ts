import type { Check } from '../kind.ts';

/** The key families an SSH host certificate may be issued for, by their OpenSSH names (RFC 5656, RFC 8709). */
const families: Readonly<Record<string, 'rsa' | 'ecdsa' | 'ed25519'>> = {
  'ssh-rsa': 'rsa',
  'ecdsa-sha2-nistp256': 'ecdsa',
  'ecdsa-sha2-nistp384': 'ecdsa',
  'ecdsa-sha2-nistp521': 'ecdsa',
  'ssh-ed25519': 'ed25519',
};

/** One line of an authorized keys file, taken apart. */
export interface SshPublicKey {
  readonly type: string;
  readonly family: 'rsa' | 'ecdsa' | 'ed25519';
  readonly blob: Buffer;
  readonly comment: string;
}

/** Reads `type base64 [comment]`, or returns undefined when the line is malformed or the blob has another type. */
export function parseSshPublicKey(line: string): SshPublicKey | undefined {
  const [type = '', base64 = '', ...comment] = line.trim().split(/[ \t]+/);
  const family = Object.hasOwn(families, type) ? families[type] : undefined;
  if (family === undefined || line.trim().includes('\n') || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  const blob = Buffer.from(base64, 'base64');
  if (blob.length < 4 || blob.length <= 4 + blob.readUInt32BE(0)) return undefined;
  if (blob.subarray(4, 4 + blob.readUInt32BE(0)).toString('latin1') !== type) return undefined;
  return { type, family, blob, comment: comment.join(' ') };
}

/** A public key of a family that can be certified. */
export const sshPublicKey: Check = {
  code: 'INVALID_PUBLIC_KEY',
  since: 'completed',
  test: (value) => {
    if (holdsPrivateKey(String(value)))
      return 'contains a private key; write the public key, and treat the private key as leaked if it was committed';
    return parseSshPublicKey(String(value)) === undefined
      ? 'must be an OpenSSH public key (rsa, ecdsa or ed25519) on one line: `type base64 [comment]`'
      : undefined;
  },
};

/** Whether a text holds a private key, where nobody wants one: it is shown nowhere. */
export function holdsPrivateKey(text: string): boolean {
  return /-----BEGIN [A-Z ]*PRIVATE KEY/.test(text);
}
