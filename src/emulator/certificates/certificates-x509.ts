import {
  createPrivateKey,
  createPublicKey,
  randomBytes,
  sign,
  type KeyObject,
  type X509Certificate,
} from 'node:crypto';
import { der, derElements, tags } from './der.ts';

/** The key usage bits in their order (RFC 5280, 4.2.1.3). */
const usages = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
];

/** The extended key usages by their object identifiers (RFC 5280, 4.2.1.12). */
const extendedUsages: Readonly<Record<string, string>> = {
  '1.3.6.1.5.5.7.3.1': 'serverAuth',
  '1.3.6.1.5.5.7.3.2': 'clientAuth',
  '1.3.6.1.5.5.7.3.3': 'codeSigning',
  '1.3.6.1.5.5.7.3.4': 'emailProtection',
  '1.3.6.1.5.5.7.3.8': 'timeStamping',
  '1.3.6.1.5.5.7.3.9': 'OCSPSigning',
  '2.5.29.37.0': 'anyExtendedKeyUsage',
};

const keyUsageId = Buffer.from([0x55, 0x1d, 0x0f]);
const commonNameId = Buffer.from([0x55, 0x04, 0x03]);
const ed25519Id = Buffer.from([0x2b, 0x65, 0x70]);

/** What the key of a certificate may be used for, by its own extension. */
export function keyUsagesOf(certificate: Buffer): string[] {
  const body = derElements(derElements(certificate)[0]?.content ?? certificate)[0]?.content;
  const wrapped = body === undefined ? undefined : derElements(body).find(({ tag }) => tag === tags.explicit3);
  const list = wrapped === undefined ? undefined : derElements(wrapped.content)[0];
  for (const extension of list === undefined ? [] : derElements(list.content)) {
    const parts = derElements(extension.content);
    if (parts[0]?.content.equals(keyUsageId) !== true) continue;
    const bits = derElements(parts.at(-1)?.content ?? Buffer.alloc(0))[0]?.content ?? Buffer.alloc(0);
    return usages.filter((_, bit) => ((bits[1 + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0);
  }
  return [];
}

/** The extended set of what it may be used for; an unknown one by its number. */
export function extendedKeyUsagesOf({ keyUsage }: X509Certificate): string[] {
  // Node leaves it undefined for a certificate without the extension, despite its types.
  const ids = keyUsage as readonly string[] | undefined;
  return (ids ?? []).map((id) => extendedUsages[id] ?? id);
}

/** An Ed25519 private key out of 32 bytes, so that a seed always gives the same one. */
export function ed25519Key(secret: Uint8Array): KeyObject {
  const pkcs8 = der(
    tags.sequence,
    der(tags.integer, Buffer.from([0])),
    der(tags.sequence, der(tags.oid, ed25519Id)),
    der(tags.octetString, der(tags.octetString, secret)),
  );
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
}

/** The content of a certificate, and who signs it. */
export interface CertificateFacts {
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly issuer: string;
  /** An Ed25519 key. */
  readonly signedBy: KeyObject;
  readonly from: Date;
  /** Each in DER. */
  readonly extensions?: readonly Buffer[];
}

/** A certificate that a key signs for itself, as PEM, valid for ten years. */
export function selfSigned(key: KeyObject, commonName: string, from: Date): string {
  return signedCertificate({
    subject: commonName,
    publicKey: createPublicKey(key),
    issuer: commonName,
    signedBy: key,
    from,
  });
}

/** A certificate with its key as PEM, for a server that nobody knows: clients have to trust it unseen. */
export function selfSignedIdentity(now: Date): { readonly cert: string; readonly key: string } {
  const key = ed25519Key(randomBytes(32));
  return {
    cert: selfSigned(key, 'gateway of the emulator', now),
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** A certificate as PEM, valid for ten years. */
export function signedCertificate(facts: CertificateFacts): string {
  const { subject, publicKey, issuer, signedBy, from, extensions = [] } = facts;
  const algorithm = der(tags.sequence, der(tags.oid, ed25519Id));
  const until = new Date(from);
  until.setUTCFullYear(from.getUTCFullYear() + 10);
  const body = der(
    tags.sequence,
    der(tags.explicit0, der(tags.integer, Buffer.from([2]))),
    der(tags.integer, Buffer.from([1])),
    algorithm,
    distinguishedName(issuer),
    der(tags.sequence, der(tags.time, generalized(from)), der(tags.time, generalized(until))),
    distinguishedName(subject),
    publicKey.export({ format: 'der', type: 'spki' }),
    ...(extensions.length === 0 ? [] : [der(tags.explicit3, der(tags.sequence, ...extensions))]),
  );
  const signature = der(tags.bitString, Buffer.from([0]), sign(null, body, signedBy));
  const base64 = der(tags.sequence, body, algorithm, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}

function distinguishedName(commonName: string): Buffer {
  return der(
    tags.sequence,
    der(tags.set, der(tags.sequence, der(tags.oid, commonNameId), der(tags.utf8, Buffer.from(commonName)))),
  );
}

function generalized(date: Date): Buffer {
  return Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`);
}
