import { describe, expect, test } from 'vitest';
import { domainName, hostOfUrl, webUrl } from '../../../src/kinds/formats/web-names.ts';

describe('a domain name', () => {
  test.each(['example.com', 'a.b.c.example', 'XN--bcher-kva.example', `${'a'.repeat(63)}.com`, '1and1.example'])(
    'may be %s',
    (text) => expect(domainName.test(text)).toBeUndefined(),
  );

  test.each([
    '',
    'localhost',
    '-bad-.com',
    'bad-.com',
    'example.-com',
    'a..example',
    'example.com.',
    'a_b.example',
    '192.0.2.1',
    'example.com:443',
    'https://example.com',
    'example.com\n',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(130)}com`,
  ])('may not be %j', (text) => expect(domainName.test(text)).toContain('must be a domain name'));
});

describe('a URL', () => {
  test.each([
    ['https://id.example.com', 'id.example.com'],
    ['HTTP://Shop.Example.net:8080/a?b#c', 'shop.example.net'],
    ['http://localhost:4444', 'localhost'],
    ['https://a_b.example.net./x', 'a_b.example.net.'],
    ['https://bücher.example/ü', 'bücher.example'],
    ['http://bank.example@evil.example/login', 'evil.example'],
    ['http://203.0.113.7/', '203.0.113.7'],
    ['http://[2001:db8::1]:80/', '[2001:db8::1]'],
  ])('may be %s, whose host is %s', (text, host) => {
    expect(webUrl.test(text)).toBeUndefined();
    expect(hostOfUrl(text)).toBe(host);
  });

  test.each([
    '',
    'example.com',
    '/login',
    'https://',
    'https:///login',
    'https:example.com',
    'ftp://example.com/',
    'javascript:alert(1)',
    'https://-bad-.com/',
    'https://999.0.0.1/',
    'https://example.com:65536/',
    'https://example.com:0/',
    'https://example.com/a b',
    'https://example.com\n',
    ' https://example.com',
  ])('may not be %j', (text) => {
    expect(webUrl.test(text)).toContain('must be an http or https URL');
    expect(hostOfUrl(text)).toBeUndefined();
  });
});
