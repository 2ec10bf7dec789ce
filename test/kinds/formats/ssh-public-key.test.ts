import { describe, expect, test } from 'vitest';
import { parseSshPublicKey, sshPublicKey } from '../../../src/kinds/formats/ssh-public-key.ts';

const ed25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUTyz1HwHReFVvD5obVsALAgJRNarH4TRpNePnAS';

// A line whose blob names its own type and holds some bytes.
function line(type: string, named = type, bytes = 8): string {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(named.length);
  return `${type} ${Buffer.concat([length, Buffer.from(named), Buffer.alloc(bytes)]).toString('base64')}`;
}

describe('a public key', () => {
  test.each([
    [ed25519, 'ed25519', ''],
    [`  ${ed25519}\troot@bastion of example\n`, 'ed25519', 'root@bastion of example'],
    [line('ssh-rsa'), 'rsa', ''],
    [line('ecdsa-sha2-nistp256'), 'ecdsa', ''],
    [line('ecdsa-sha2-nistp384'), 'ecdsa', ''],
    [line('ecdsa-sha2-nistp521'), 'ecdsa', ''],
  ])('is taken apart: %s', (text, family, comment) => {
    expect(parseSshPublicKey(text)).toMatchObject({ family, comment, type: text.trim().split(' ')[0] });
    expect(sshPublicKey.test(text)).toBeUndefined();
  });

  test.each([
    '',
    'ssh-ed25519',
    'ssh-ed25519 !!!!',
    'ssh-ed25519 AA==',
    line('ssh-dss'),
    line('toString'),
    line('ssh-rsa', 'ssh-ed25519'),
    line('ssh-rsa', 'ssh-rsa', 0),
    `${ed25519}\n${ed25519}`,
    `from="192.0.2.1" ${ed25519}`,
  ])('is not %j', (text) => {
    expect(parseSshPublicKey(text)).toBeUndefined();
    expect(sshPublicKey.test(text)).toMatch(/^must be an OpenSSH public key/);
  });

  test('given as a private one is distinguished, for it may have leaked', () => {
    expect(sshPublicKey.test('-----BEGIN OPENSSH PRIVATE KEY-----')).toMatch(/^contains a private key/);
  });
});
