import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setUp } from '../support/setup.ts';

const hasKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKL6sTd9mUcMckXG3zmjBmSFGz4rAj4EkKPQYl1RZ3p2';
const minimal = { ssh_certificate_authority_id: 'sshca_1', public_key: `${key} root@shop` };

test('validity begins at creation and lasts a year unless said otherwise', async () => {
  const { body } = await setUp().call('POST', '/ssh_host_certificates', minimal);
  expect(body).toMatchObject({
    created_at: '2027-03-01T12:00:00Z',
    valid_after: '2027-03-01T12:00:00Z',
    valid_until: '2028-03-01T12:00:00Z',
    principals: [],
    key_type: 'ed25519',
    ssh_certificate_authority_id: 'sshca_1',
  });
});

test('the key comes back without its comment, and times in UTC', async () => {
  const { body } = await setUp().call('POST', '/ssh_host_certificates', {
    ...minimal,
    valid_after: '2027-06-01T02:00:00+02:00',
    valid_until: '2027-07-01T00:00:00.000Z',
  });
  expect(body).toMatchObject({
    public_key: key,
    valid_after: '2027-06-01T00:00:00Z',
    valid_until: '2027-07-01T00:00:00Z',
  });
});

test('a description changes nothing about the certificate', async () => {
  const { call } = setUp();
  const made = await call('POST', '/ssh_host_certificates', minimal);
  const path = `/ssh_host_certificates/${String(made.body['id'])}`;
  const { body } = await call('PATCH', path, { description: 'shop host' });
  expect(body).toEqual({ ...made.body, description: 'shop host' });
});

test('an authority signs with one key, also in a copy of the account', async () => {
  const { emulator, call } = setUp();
  const first = await call('POST', '/ssh_host_certificates', minimal);
  const copy = setUp({ seed: 'another' });
  copy.emulator.restore(emulator.snapshot());
  const second = await copy.call('POST', '/ssh_host_certificates', minimal);
  expect(signerOf(String(second.body['certificate']))).toEqual(signerOf(String(first.body['certificate'])));
});

/** The signature key of a certificate: what stands before the signature, behind seven strings and four numbers. */
function signerOf(certificate: string): Buffer {
  const blob = Buffer.from(certificate.split(' ')[1] ?? '', 'base64');
  const at = blob.lastIndexOf(Buffer.from('\0\0\0\x33\0\0\0\x0bssh-ed25519', 'latin1'));
  return blob.subarray(at, at + 4 + 0x33);
}

describe.skipIf(!hasKeygen)('ssh-keygen reads the certificate', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-ssh-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test.each(['ed25519', 'ecdsa', 'rsa'])('of a key of type %s', async (type) => {
    const host = join(folder, 'host');
    execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', host]);
    const { body } = await setUp().call('POST', '/ssh_host_certificates', {
      ssh_certificate_authority_id: 'sshca_1',
      public_key: readFileSync(`${host}.pub`, 'utf8').trim(),
      principals: ['shop.example.com', '192.0.2.7'],
      valid_after: '2027-01-01T00:00:00Z',
      valid_until: '2027-02-01T00:00:00Z',
    });
    writeFileSync(`${host}-cert.pub`, String(body['certificate']));
    const shown = execFileSync('ssh-keygen', ['-L', '-f', `${host}-cert.pub`], { env: { ...process.env, TZ: 'UTC' } });
    const text = shown.toString();
    expect(body['key_type']).toBe(type);
    expect(text).toContain('host certificate');
    expect(text).toContain(`Key ID: "${String(body['id'])}"`);
    expect(text).toContain('Serial: 1\n');
    expect(text).toContain('Valid: from 2027-01-01T00:00:00 to 2027-02-01T00:00:00');
    expect(text).toMatch(/Principals: \n +shop\.example\.com\n +192\.0\.2\.7\n/);
    expect(text).toMatch(/Signing CA: ED25519 SHA256:/);
  });
});

test('where rules are not enforced, what is no key gets no certificate', async () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const { call } = setUp({ profile: 'documented' });
  const { status, body } = await call('POST', '/ssh_host_certificates', {
    ...minimal,
    public_key: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
  });
  expect([status, body['certificate']]).toEqual([201, '']);
});
