import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { signedCertificate } from '../../src/emulator/certificates/certificates-x509.ts';
import { der, tags } from '../../src/emulator/certificates/der.ts';

/** A certificate with its key, both as PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority that no machine trusts by default. */
export interface PrivateAuthority {
  readonly pem: string;
  /** A certificate for a server of these names and IPv4 addresses. */
  readonly identity: (...names: readonly string[]) => Identity;
}

const basicConstraintsId = Buffer.from([0x55, 0x1d, 0x13]);
const alternativeNamesId = Buffer.from([0x55, 0x1d, 0x11]);
const [dnsNameTag, addressTag] = [0x82, 0x87];

/** Makes an authority of its own for a test. */
export function privateAuthority(name = 'Test Authority', from = new Date('2020-01-01T00:00:00Z')): PrivateAuthority {
  const own = generateKeyPairSync('ed25519');
  const isAuthority = extension(basicConstraintsId, der(tags.sequence, der(tags.boolean, Buffer.from([0xff]))));
  const signed = (subject: string, publicKey: KeyObject, extensions: readonly Buffer[]): string =>
    signedCertificate({ subject, publicKey, issuer: name, signedBy: own.privateKey, from, extensions });
  return {
    pem: signed(name, own.publicKey, [isAuthority]),
    identity: (...names) => {
      const { privateKey } = generateKeyPairSync('ed25519');
      const alternatives = names.map((alternative) =>
        isIP(alternative) === 4
          ? der(addressTag, Buffer.from(alternative.split('.').map(Number)))
          : der(dnsNameTag, Buffer.from(alternative)),
      );
      return {
        cert: signed('server', createPublicKey(privateKey), [
          extension(alternativeNamesId, der(tags.sequence, ...alternatives)),
        ]),
        key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      };
    },
  };
}

function extension(id: Buffer, value: Buffer): Buffer {
  return der(tags.sequence, der(tags.oid, id), der(tags.octetString, value));
}
