import type { Check } from '../kind.ts';
import { holdsPrivateKey } from './private-key.ts';

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

/** Reads `type base64 [comment]`, or returns undefined when the line is malformed or the blob is no key of the type. */
export function parseSshPublicKey(line: string): SshPublicKey | undefined {
  const [type = '', base64 = '', ...comment] = line.trim().split(/[ \t]+/);
  const family = Object.hasOwn(families, type) ? families[type] : undefined;
  if (family === undefined || line.trim().includes('\n') || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  const blob = Buffer.from(base64, 'base64');
  const [named, ...parts] = stringsIn(blob);
  if (named?.toString('latin1') !== type || !isKey(type, parts)) return undefined;
  return { type, family, blob, comment: comment.join(' ') };
}

/** The strings that a blob consists of (RFC 4251), none where its end is missing. */
function stringsIn(blob: Buffer): Buffer[] {
  const strings: Buffer[] = [];
  for (let at = 0; at < blob.length;) {
    const end = at + 4 > blob.length ? Infinity : at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return [];
    strings.push(blob.subarray(at + 4, end));
    at = end;
  }
  return strings;
}

/** How long the points of the curves are, uncompressed. */
const pointLengths: Readonly<Record<string, number>> = { nistp256: 65, nistp384: 97, nistp521: 133 };

/** Whether these are the parts of a key: an exponent and a modulus, a curve with a point on it, or 32 bytes. */
function isKey(type: string, parts: readonly Buffer[]): boolean {
  const [first, second] = parts;
  if (type === 'ssh-ed25519') return parts.length === 1 && first?.length === 32;
  if (parts.length !== 2 || first === undefined || second === undefined) return false;
  if (type === 'ssh-rsa') return first.length > 0 && second.length > 0;
  const curve = type.slice('ecdsa-sha2-'.length);
  return first.toString('latin1') === curve && second[0] === 4 && second.length === pointLengths[curve];
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
