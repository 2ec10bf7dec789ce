import { createHash } from 'node:crypto';
import { safeText } from '../../diagnostics/safe-text.ts';
import { parseSshPublicKey } from '../../kinds/formats/ssh-public-key.ts';

// How many strings and numbers a key of each family has between nonce and serial (PROTOCOL.certkeys of OpenSSH).
const keyParts: Readonly<Record<string, number>> = {
  'ssh-rsa-cert-v01@openssh.com': 2,
  'ecdsa-sha2-nistp256-cert-v01@openssh.com': 2,
  'ecdsa-sha2-nistp384-cert-v01@openssh.com': 2,
  'ecdsa-sha2-nistp521-cert-v01@openssh.com': 2,
  'ssh-ed25519-cert-v01@openssh.com': 1,
};

/** An OpenSSH public key or certificate on one line, with its fingerprint as ssh-keygen shows it; undefined for what is neither. */
export function sshText(line: string): string | undefined {
  if (line.includes('PRIVATE KEY')) return '(a private key)';
  const key = parseSshPublicKey(line);
  if (key === undefined) return certificateText(line);
  return `${key.type} ${fingerprint(key.blob)}${key.comment === '' ? '' : ` ${safeText(key.comment)}`}`;
}

function certificateText(line: string): string | undefined {
  const [type = '', base64 = ''] = line.trim().split(/[ \t]+/);
  const parts = Object.hasOwn(keyParts, type) ? keyParts[type] : undefined;
  if (parts === undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    const blob = Buffer.from(base64, 'base64');
    const read = new WireReader(blob);
    read.string();
    read.string();
    for (let part = 0; part < parts; part += 1) read.string();
    read.long();
    const role = read.number() === 2 ? 'host' : 'user';
    const id = safeText(read.string().toString('utf8'));
    const names = new WireReader(read.string());
    const principals: string[] = [];
    while (!names.isAtEnd()) principals.push(safeText(names.string().toString('utf8')));
    const [from, to] = [read.long(), read.long()];
    const whom = principals.length === 0 ? 'everybody' : principals.join(', ');
    return `${type} ${fingerprint(blob)}, ${role} certificate ${id} for ${whom}, ${day(from)} to ${day(to)}`;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function fingerprint(blob: Buffer): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
}

function day(seconds: bigint): string {
  if (seconds > 253_402_300_799n) return 'no expiry';
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 10);
}

/** Reads what RFC 4251 writes; throws a RangeError past the end. */
class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  number(): number {
    this.#at += 4;
    return this.#bytes.readUInt32BE(this.#at - 4);
  }

  long(): bigint {
    this.#at += 8;
    return this.#bytes.readBigUInt64BE(this.#at - 8);
  }

  string(): Buffer {
    const length = this.number();
    if (this.#at + length > this.#bytes.length) throw new RangeError('the SSH key ends too early');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }
}
