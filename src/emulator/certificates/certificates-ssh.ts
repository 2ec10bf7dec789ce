import { createPublicKey, sign, type KeyObject } from 'node:crypto';
import type { SshPublicKey } from '../../kinds/formats/ssh-public-key.ts';

/** The content of a host certificate. */
export interface HostCertificate {
  readonly key: SshPublicKey;
  readonly serial: bigint;
  readonly keyId: string;
  /** Empty: valid for all hosts. */
  readonly principals: readonly string[];
  readonly validAfter: Date;
  readonly validUntil: Date;
  readonly nonce: Uint8Array;
}

const hostType = 2;

/** A signed host certificate as one line of OpenSSH text (PROTOCOL.certkeys), signed with an Ed25519 key. */
export function signHostCertificate(certificate: HostCertificate, authority: KeyObject): string {
  const { key, serial, keyId, principals, validAfter, validUntil, nonce } = certificate;
  const type = `${key.type}-cert-v01@openssh.com`;
  const typeLength = 4 + key.blob.readUInt32BE(0);
  const body = Buffer.concat([
    string(type),
    string(nonce),
    key.blob.subarray(typeLength),
    uint64(serial),
    uint32(hostType),
    string(keyId),
    string(Buffer.concat(principals.map((principal) => string(principal)))),
    uint64(seconds(validAfter)),
    uint64(seconds(validUntil)),
    string(''),
    string(''),
    string(''),
    string(publicBlob(authority)),
  ]);
  const signature = Buffer.concat([string('ssh-ed25519'), string(sign(null, body, authority))]);
  return `${type} ${Buffer.concat([body, string(signature)]).toString('base64')}`;
}

/** The public half of an Ed25519 key as OpenSSH writes it in binary. */
export function publicBlob(key: KeyObject): Buffer {
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return Buffer.concat([string('ssh-ed25519'), string(spki.subarray(-32))]);
}

function string(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

function seconds(date: Date): bigint {
  return BigInt(Math.max(0, Math.floor(date.getTime() / 1000)));
}
