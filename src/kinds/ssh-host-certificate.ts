import type { Kind, Rule } from './kind.ts';
import {
  computed,
  description,
  identity,
  immutable,
  instant,
  metadata,
  oneOf,
  ref,
  required,
  setOf,
  text,
} from './fields.ts';
import { sshPublicKey } from './formats/ssh-public-key.ts';

const endsAfterItBegins: Rule = {
  code: 'INVALID_VALIDITY_PERIOD',
  since: 'completed',
  check: ({ valid_after, valid_until }) =>
    typeof valid_after === 'string' &&
    typeof valid_until === 'string' &&
    Date.parse(valid_until) <= Date.parse(valid_after)
      ? [{ path: ['valid_until'], message: '`valid_until` must be later than `valid_after`' }]
      : [],
};

/** A certificate for an SSH host key, signed by an SSH certificate authority. */
export const sshHostCertificate: Kind = {
  name: 'SSHHostCertificate',
  doc: 'A certificate signed by an SSH certificate authority for a host key that you supply.',
  path: '/ssh_host_certificates',
  listKey: 'ssh_host_certificates',
  idPrefix: 'shcrt',
  operations: { create: 'described', get: 'described', list: 'described', update: 'described', delete: 'described' },
  fields: {
    ...identity,
    description: description(),
    metadata: metadata(),
    ssh_certificate_authority_id: immutable(
      required(
        ref('ssh_certificate_authority', 'Id of the SSH certificate authority that signs the certificate.', {
          reads: 'id',
        }),
      ),
    ),
    public_key: immutable(
      required(
        text('Public host key to sign, in the format of OpenSSH. A change of its comment is no change of the key.', {
          compare: 'key-blob',
          format: 'ssh-public-key',
          checks: [sshPublicKey],
        }),
      ),
    ),
    principals: immutable(
      setOf(
        text('Hostname or IP address of a host.', { identifies: true, examples: ['bastion.example.com'] }),
        'Hosts that may present the certificate; empty: all hosts.',
      ),
    ),
    valid_after: immutable(
      instant('Time from which the certificate is valid; by default, the time of its creation.', {
        defaultsToTime: true,
        examples: ['2027-01-01T00:00:00Z'],
      }),
    ),
    valid_until: immutable(
      instant('Time until which the certificate is valid; by default, one year after its creation.', {
        defaultsToTime: true,
        examples: ['2028-01-01T00:00:00Z'],
      }),
    ),
    key_type: computed(oneOf(['rsa', 'ecdsa', 'ed25519'], 'Type of the public key.')),
    certificate: computed(text('The signed certificate, in the format of a -cert.pub file.')),
  },
  rules: [endsAfterItBegins],
  unique: [],
  printerColumns: ['principals', 'valid_until'],
  destroys: 'credential',
  renewal: {
    startField: 'valid_after',
    expiryField: 'valid_until',
    defaultSeconds: 365 * 86_400,
    file: { field: 'certificate', suffix: '-cert.pub' },
  },
  allowLists: ['principals'],
};
