import { createPrivateKey, type KeyObject } from 'node:crypto';
import { parseSshPublicKey } from '../../kinds/formats/ssh-public-key.ts';
import { textOf, type SpecValue } from '../../kinds/value.ts';
import { signHostCertificate } from '../certificates/certificates-ssh.ts';
import { ed25519Key } from '../certificates/certificates-x509.ts';
import { textsOf } from '../forms/plain.ts';
import { timeOf, type Behaviour, type EmulatorWorld } from '../world.ts';

/** A certificate is signed once, at creation, and never changes. Where rules are not enforced the key may be no key at all. */
export const sshHostCertificateBehaviour: Behaviour = {
  decide: (resource, before, world) => {
    const { spec, own, id, seq, created_at } = resource;
    if (before !== undefined) return own;
    const from = timeIn(spec['valid_after']) ?? new Date(created_at);
    const until = timeIn(spec['valid_until']) ?? yearAfter(new Date(Math.max(Date.parse(created_at), from.getTime())));
    const validity = {
      ...(spec['valid_after'] === undefined ? { valid_after: timeOf(from) } : {}),
      ...(spec['valid_until'] === undefined ? { valid_until: timeOf(until) } : {}),
    };
    const key = parseSshPublicKey(textOf(spec['public_key']));
    if (key === undefined) return { ...validity, key_type: '', certificate: '' };
    const certificate = signHostCertificate(
      {
        key,
        serial: BigInt(seq + 1),
        keyId: id,
        principals: textsOf(spec['principals']),
        validAfter: from,
        validUntil: until,
        nonce: world.chance.bytes('ssh nonce', id),
      },
      authorityKey(textOf(spec['ssh_certificate_authority_id']), world),
    );
    return { ...validity, key_type: key.family, certificate };
  },
};

/** The signing key of an authority, made on first use of its id and kept with the account. */
function authorityKey(id: string, { account, chance }: EmulatorWorld): KeyObject {
  const kept = account.keys.get(id);
  if (kept !== undefined) return readKey(kept);
  const key = ed25519Key(chance.bytes('ssh authority', id));
  account.keys.set(id, key.export({ format: 'pem', type: 'pkcs8' }).toString());
  return key;
}

// Reading a key costs more than signing with it, and few authorities sign much.
const readKeys = new Map<string, KeyObject>();

function readKey(text: string): KeyObject {
  const key = readKeys.get(text) ?? createPrivateKey(text);
  readKeys.set(text, key);
  return key;
}

function timeIn(value: SpecValue | undefined): Date | undefined {
  return typeof value === 'string' && value !== '' ? new Date(value) : undefined;
}

function yearAfter(from: Date): Date {
  const until = new Date(from);
  until.setUTCFullYear(from.getUTCFullYear() + 1);
  return until;
}
