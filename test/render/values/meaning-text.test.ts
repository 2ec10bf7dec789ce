import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diagnosticAnnotations } from '../../../src/render/diagnostics/github-annotations.ts';
import { meaningLines, meaningText } from '../../../src/render/values/meaning-text.ts';

const partners = readFileSync(new URL('../../generators/data/partners-ca.pem', import.meta.url), 'utf8');
const bastion = readFileSync(new URL('../../generators/data/bastion-ed25519.pub', import.meta.url), 'utf8');
const privateKey = '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIFqv\n-----END PRIVATE KEY-----\n';

describe('what opaque texts mean', () => {
  test('a certificate is shown by subject, validity and fingerprint, each of a bundle', () => {
    expect(meaningLines(partners + partners, 'pem')).toEqual([
      expect.stringMatching(/^certificate of CN=partners CA, \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d, sha256 [0-9a-f]{16}$/),
      expect.stringMatching(/^certificate of CN=partners CA/),
    ]);
  });

  test('a private key is never shown', () => {
    expect(meaningText(privateKey, 'pem')).toBe('(a private key)');
    expect(meaningText(partners + privateKey, 'pem')).toMatch(/; \(a private key\)$/);
    expect(meaningText(privateKey, 'ssh-public-key')).toBe('(a private key)');
  });

  test('an OpenSSH key is shown as ssh-keygen prints it, and so is a certificate', () => {
    const dir = mkdtempSync(join(tmpdir(), 'sluice-ssh-'));
    try {
      const keygen = (...args: string[]): string => execFileSync('ssh-keygen', args, { cwd: dir, encoding: 'utf8' });
      keygen('-q', '-t', 'ed25519', '-N', '', '-f', 'ca');
      keygen('-q', '-t', 'ed25519', '-N', '', '-C', 'gate of the office', '-f', 'key');
      keygen(
        '-q',
        '-s',
        'ca',
        '-h',
        '-I',
        'gate',
        '-n',
        'gate.example.com,10.0.0.1',
        '-V',
        '20260102:20270203',
        'key.pub',
      );
      const key = readFileSync(join(dir, 'key.pub'), 'utf8');
      const fingerprint = /SHA256:\S+/.exec(keygen('-l', '-f', 'key.pub'))?.[0] ?? '';
      expect(meaningText(key, 'ssh-public-key')).toBe(`ssh-ed25519 ${fingerprint} gate of the office`);
      expect(meaningText(readFileSync(join(dir, 'key-cert.pub'), 'utf8'), 'ssh-public-key')).toMatch(
        /^ssh-ed25519-cert-v01@openssh\.com SHA256:\S+, host certificate gate for gate\.example\.com, 10\.0\.0\.1, 2026-01-0[12] to 2027-02-0[23]$/,
      );
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  test('a certificate cut short is shown as no certificate', () => {
    expect(
      meaningText(`ssh-ed25519-cert-v01@openssh.com ${bastion.split(' ')[1] ?? ''}`, 'ssh-public-key'),
    ).toBeUndefined();
  });

  test('a policy is shown by its structure, however it is written', () => {
    expect(meaningLines('{"b": [1], "a": "x"}', 'policy')).toEqual(meaningLines('a: x\nb:\n  - 1\n', 'policy'));
    expect(meaningLines('just text', 'policy')).toBeUndefined();
  });

  test('what is no SAML metadata is not shown as such, and entities of a document type are not read', () => {
    expect(meaningLines('<a/>', 'saml')).toBeUndefined();
    expect(meaningLines('<!DOCTYPE x [<!ENTITY e "e">]><EntityDescriptor entityID="&e;"/>', 'saml')).toBeUndefined();
    expect(meaningLines('<<<', 'saml')).toBeUndefined();
  });
});

test('no text ends a workflow command or begins another', () => {
  const message = 'a%0A::error::b\n::warning::c\r:,d';
  const place = { file: 'a,b:c.yaml', line: 1, col: 2 };
  expect(diagnosticAnnotations([{ code: 'SYNTAX_ERROR', severity: 'note', message, place }], (file) => file)).toEqual([
    '::notice file=a%2Cb%3Ac.yaml,line=1,col=2,title=SYNTAX_ERROR::a%250A::error::b\\u{a}::warning::c\\u{d}:,d',
  ]);
});
