import { describe, expect, test } from 'vitest';
import { parseSshPublicKey, sshPublicKey } from '../../../src/kinds/formats/ssh-public-key.ts';

const ed25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUTyz1HwHReFVvD5obVsALAgJRNarH4TRpNePnAS';

// A line of a type whose blob holds these parts, each behind its length.
function line(type: string, ...parts: readonly (string | Buffer)[]): string {
  const strings = parts.map((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    return Buffer.concat([length, Buffer.from(part as string)]);
  });
  return `${type} ${Buffer.concat(strings).toString('base64')}`;
}

function rsa(named: string, ...parts: readonly Buffer[]): string {
  return line('ssh-rsa', named, ...parts);
}

function ecdsa(size: number, bytes: number, curve = size, form = 4): string {
  const type = `ecdsa-sha2-nistp${size}`;
  return line(type, type, `nistp${curve}`, Buffer.from([form, ...Buffer.alloc(bytes, 7)]));
}

const exponent = Buffer.from([1, 0, 1]);
const modulus = Buffer.alloc(257, 7);

describe('a public key', () => {
  test.each([
    [ed25519, 'ed25519', ''],
    [`  ${ed25519}\troot@bastion of example\n`, 'ed25519', 'root@bastion of example'],
    [rsa('ssh-rsa', exponent, modulus), 'rsa', ''],
    [ecdsa(256, 64), 'ecdsa', ''],
    [ecdsa(384, 96), 'ecdsa', ''],
    [ecdsa(521, 132), 'ecdsa', ''],
  ])('is taken apart: %s', (text, family, comment) => {
    expect(parseSshPublicKey(text)).toMatchObject({ family, comment, type: text.trim().split(' ')[0] });
    expect(sshPublicKey.test(text)).toBeUndefined();
  });

  test.each([
    '',
    'ssh-ed25519',
    'ssh-ed25519 !!!!',
    'ssh-ed25519 AA==',
    line('ssh-dss', 'ssh-dss', modulus),
    line('toString', 'toString', modulus),
    rsa('ssh-ed25519', exponent, modulus),
    rsa('ssh-rsa'),
    rsa('ssh-rsa', exponent),
    rsa('ssh-rsa', exponent, Buffer.alloc(0)),
    rsa('ssh-rsa', exponent, modulus, modulus),
    rsa('ssh-rsa', exponent, modulus).slice(0, -8),
    line('ssh-ed25519', 'ssh-ed25519', Buffer.alloc(31, 7)),
    line('ssh-ed25519', 'ssh-ed25519', Buffer.alloc(33, 7)),
    ed25519.slice(0, -4),
    `${ed25519}AAAA`,
    ecdsa(256, 63),
    ecdsa(256, 64, 384),
    ecdsa(256, 64, 256, 2),
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
