import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  atMostOneEnabled,
  caCertificate,
  exactlyOne,
  isEnabled,
  isUnset,
  looksLike,
  lowerCase,
  needs,
  notEmpty,
  positive,
  regularExpression,
  withinLength,
} from '../../src/kinds/checks.ts';
import { hostport } from '../../src/kinds/formats/hostport.ts';
import { Secret } from '../../src/kinds/value.ts';

const ca = readFileSync('examples/company/files/partners-ca.pem', 'utf8');
// A self-signed certificate without CA:TRUE.
const leaf = readFileSync(new URL('leaf-certificate.pem', import.meta.url), 'utf8');

describe('lengths', () => {
  test.each([
    ['bytes', 'ü'.repeat(127) + 'a', undefined],
    ['bytes', 'ü'.repeat(128), 'is 256 bytes long; the limit is 255 bytes'],
    ['characters', '😀'.repeat(255), undefined],
    ['characters', '😀'.repeat(256), 'is 256 characters long; the limit is 255 characters'],
  ] as const)('are counted in %s', (unit, text, wrong) => {
    expect(withinLength(255, unit).test(text)).toBe(wrong);
  });
});

describe('a hostport', () => {
  test.each([
    'shop.example.com:443',
    '*.example.com:1',
    'localhost:65535',
    '192.0.2.1:80',
    'xn--bcher-kva.example:443',
    'A_b.example:8443',
  ])('may be %s', (text) => {
    expect(hostport.test(text)).toBeUndefined();
  });

  test.each([
    ['shop.example.com', 'must be `hostname:port`, such as shop.example.com:443'],
    ['https://shop.example.com:443', 'must be `hostname:port`, such as shop.example.com:443'],
    ['shop.example.com:443/', 'must be `hostname:port`, such as shop.example.com:443'],
    ['-shop.example.com:443', 'must be `hostname:port`, such as shop.example.com:443'],
    ['shop..example.com:443', 'must be `hostname:port`, such as shop.example.com:443'],
    [':443', 'must be `hostname:port`, such as shop.example.com:443'],
    ['', 'must be `hostname:port`, such as shop.example.com:443'],
    [`${'a'.repeat(254)}:443`, 'must be `hostname:port`, such as shop.example.com:443'],
    [`${'a'.repeat(300)}:443`, 'must be `hostname:port`, at most 260 characters'],
    ['shop.example.com:0', 'has a port outside the range 1 to 65535'],
    ['shop.example.com:65536', 'has a port outside the range 1 to 65535'],
  ])('may not be %j', (text, wrong) => {
    expect(hostport.test(text)).toBe(wrong);
  });
});

describe('a regular expression', () => {
  test.each(['^curl/', '(?i)bot', '(?im-s:bot)', '(?P<name>x)', '', '[[:alpha:]]'])('may be %s', (text) => {
    expect(regularExpression.test(text)).toBeUndefined();
  });

  test.each(['(', '[a', '*a', '(?i'])('may not be %s', (text) => {
    expect(regularExpression.test(text)).toBe('must be a regular expression');
  });
});

describe('the certificate of an authority', () => {
  test('is one PEM block with CA:TRUE, whatever the line ends and the text around it', () => {
    for (const text of [ca, ca.replaceAll('\n', '\r\n'), `Partners\n${ca}\n`])
      expect(caCertificate.test(text)).toBeUndefined();
  });

  test.each([
    ['text', 'must be exactly one PEM block of type CERTIFICATE (found none)'],
    [ca + ca, 'must be exactly one PEM block of type CERTIFICATE (found CERTIFICATE, CERTIFICATE)'],
    [
      ca.replaceAll('CERTIFICATE', 'PUBLIC KEY'),
      'must be exactly one PEM block of type CERTIFICATE (found PUBLIC KEY)',
    ],
    [ca.replace(/^[A-Za-z0-9+/=]+$/m, 'AAAA'), 'contains a PEM block that is not a valid certificate'],
    [leaf, 'is not a CA certificate (CA:TRUE is missing)'],
    [
      `${ca}-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n`,
      'contains a private key; write only the certificate, and treat the key as leaked if it was committed',
    ],
  ])('is not %#', (text, wrong) => {
    expect(caCertificate.test(text)).toBe(wrong);
  });
});

test.each([
  [positive, 1, undefined],
  [positive, 0, 'must be greater than 0'],
  [lowerCase, 'a@example.com', undefined],
  [lowerCase, 'A@example.com', 'must be lower case'],
  [notEmpty, 'a', undefined],
  [notEmpty, '', 'must not be empty'],
  [looksLike(/^a+$/, 'the letter a'), 'aa', undefined],
  [looksLike(/^a+$/, 'the letter a'), 'b', 'must be the letter a'],
])('%# a single fact is checked on one value', (check, value, wrong) => {
  expect(check.test(value)).toBe(wrong);
});

describe('rules over several fields', () => {
  const both = needs('scopes', ['client_id', 'client_secret'], 'described');
  const one = exactlyOne(['google', 'github'], 'completed');
  const enabled = atMostOneEnabled(['oauth', 'saml', 'oidc'], 'completed');

  test.each([
    [both, {}, []],
    [both, { scopes: [] }, []],
    [both, { scopes: ['a'], client_id: 'a', client_secret: new Secret('s') }, []],
    [
      both,
      { scopes: ['a'], client_id: 'a', client_secret: new Secret('') },
      ['scopes: `scopes` requires `client_secret`'],
    ],
    [both, { scopes: ['a'] }, ['scopes: `scopes` requires `client_id` and `client_secret`']],
    [one, { google: {} }, []],
    [one, { google: {}, github: null }, []],
    [one, {}, [': exactly one of google, github is required; none is set']],
    [one, { google: {}, github: {} }, ['github: exactly one of google, github is allowed; google, github are set']],
    [enabled, { oauth: {}, saml: { enabled: false }, oidc: null }, []],
    [
      enabled,
      { oauth: {}, saml: {}, oidc: { enabled: true } },
      [
        'saml: `saml` cannot be enabled together with `oauth`: only one of oauth, saml, oidc is allowed',
        'oidc: `oidc` cannot be enabled together with `oauth`: only one of oauth, saml, oidc is allowed',
      ],
    ],
  ])('%#', (rule, group, problems) => {
    expect(rule.check(group).map(({ path, message }) => `${path.join('/')}: ${message}`)).toEqual(problems);
  });
});

test('null, nothing, empty text, an empty secret and an empty list are unset; false, 0 and an empty mapping are not', () => {
  expect([undefined, null, '', [], new Secret('')].map(isUnset)).toEqual([true, true, true, true, true]);
  expect([false, 0, {}, 'a', [null], new Secret('s')].map(isUnset)).toEqual([false, false, false, false, false, false]);
});

test('a module is enabled unless it says otherwise', () => {
  expect([{}, { enabled: true }, { enabled: null }].map(isEnabled)).toEqual([true, true, true]);
  expect([{ enabled: false }, null, undefined, 'yes', []].map(isEnabled)).toEqual([false, false, false, false, false]);
});
