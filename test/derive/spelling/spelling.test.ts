import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { canonicalKey } from '../../../src/derive/canonical.ts';
import { text } from '../../../src/kinds/fields.ts';
import type { Comparison } from '../../../src/kinds/kind.ts';

const same = (compare: Comparison, a: string, b: string) =>
  canonicalKey(text('', { compare }), a) === canonicalKey(text('', { compare }), b);

const ca = readFileSync(new URL('../../generators/data/partners-ca.pem', import.meta.url), 'utf8');
const other = readFileSync(new URL('../../generators/data/suppliers-ca.pem', import.meta.url), 'utf8');
const idp = (inside: string) => `<E xmlns="urn:x" a="1" b="2">${inside}</E>`;
const signature = '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/>';

describe('texts are equal that differ only in what services change', () => {
  test.each<[Comparison, string, string]>([
    ['text', 'Public shop', ' Public shop \n'],
    ['text', 'two\nlines', 'two\r\nlines\r\n'],
    ['pem', ca, ca.trimEnd()],
    ['pem', ca, `subject=CN = partners\r\n${ca.replaceAll('\n', '\r\n')}\n`],
    ['pem', ca, ca.replaceAll(/(?<=[A-Za-z0-9+/])\n(?=[A-Za-z0-9+/])/g, '')],
    ['xml', idp('<a/>'), `<?xml version="1.0"?>\n<!-- ours -->\n<E b='2' xmlns="urn:x"\r\n a="1">\r\n  <a></a></E>\n`],
    ['xml', idp('<X509Certificate>QUJD</X509Certificate>'), idp('<X509Certificate>\n QU\n JD\n</X509Certificate>')],
    ['xml', idp('<a>one &amp; two</a>'), idp('<a> <![CDATA[one & two]]></a>')],
    ['policy', '{"a":[1,"x"],"b":1.0}', '{ "b": 1, "a": [1, "x"] }\n'],
    ['policy', 'a: one # why\nb: [1, true]\n', '{"b":[1,true],"a":"one"}'],
    ['policy', 'a: |\n  b\n', 'a: |\r\n  b\r\n\r\n'],
    ['json', '{"a":1}', '{ "a": 1.0 }\n'],
    ['json', '[1, 2]', '[1,2]'],
    ['match', 'Shop.Example.com/Admin', 'shop.example.com/Admin'],
    ['header-value', 'yes', '\tyes '],
    ['instant', '2027-03-01T12:00:00Z', '2027-03-01T12:00:00.000000+00:00'],
  ])('%s: %j and %j', (compare, a, b) => expect(same(compare, a, b)).toBe(true));
});

describe('texts differ that mean something else', () => {
  test.each<[Comparison, string, string]>([
    ['exact', 'secret', 'secret '],
    ['exact', '^curl ', '^curl'],
    ['text', 'Public shop', 'public shop'],
    ['text', 'two  words', 'two words'],
    ['pem', ca, other],
    ['pem', ca, ca.replace('-----BEGIN CERTIFICATE-----\nM', '-----BEGIN CERTIFICATE-----\nN')],
    ['pem', ca, ca + other],
    ['xml', idp('<a>one</a>'), idp('<a>one<!-- --></a>')],
    ['xml', idp('<a>one two</a>'), idp('<a>onetwo</a>')],
    ['xml', idp('<a/><b/>'), idp('<b/><a/>')],
    ['xml', idp(`${signature}<a/>`), idp(`${signature} <a/>`)],
    ['xml', `<!DOCTYPE E [<!ENTITY a "1">]>${idp('<a/>')}`, idp('<a/>')],
    ['policy', 'a: yes', 'a: "yes"'],
    ['policy', 'a: 010', 'a: 10'],
    ['policy', 'a: 1', 'a: "1"'],
    ['policy', 'a: [x, y]', 'a: [y, x]'],
    ['policy', 'a: &x one\nb: *x', 'a: one\nb: one'],
    ['policy', '%YAML 1.1\n---\na: one', 'a: one'],
    ['policy', 'a: one\na: two', 'a: two'],
    ['policy', '{"a":1,"a":2}', '{"a":2}'],
    ['json', '{"id":12345678901234567890}', '{"id":12345678901234567891}'],
    ['json', '{"id":1}', '{"id":"1"}'],
    ['json', '{"id":"n1"}', '{"id":1}'],
    ['match', 'shop.example.com/Admin', 'shop.example.com/admin'],
    ['match', '/Admin', '/admin'],
    ['header-value', 'a b', 'a  b'],
    ['instant', '2027-03-01T12:00:00Z', '2027-03-01T12:00:01Z'],
  ])('%s: %j and %j', (compare, a, b) => expect(same(compare, a, b)).toBe(false));
});

test('a policy with very many keys is compared in a moment', () => {
  const policy = Array.from({ length: 11_000 }, (_, n) => `_${n.toString(36)}: 1\n`).join('');
  const before = process.cpuUsage();
  expect(same('policy', policy, `# the same\n${policy}`)).toBe(true);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000_000).toBeLessThan(2.5);
});

test('a document too deep, too large or broken is compared as text', () => {
  for (const compare of ['xml', 'policy', 'json', 'pem'] as const)
    for (const odd of [
      '['.repeat(50_000),
      '<a>'.repeat(50_000),
      '-----BEGIN X-----\n',
      '- '.repeat(40_000),
      'a: "b',
      'x'.repeat(200_000),
    ]) {
      expect(same(compare, odd, `${odd}\n`)).toBe(true);
      expect(same(compare, odd, `${odd}x`)).toBe(false);
    }
});
