import { expect, test } from 'vitest';
import { entriesInWords } from '../../src/kinds/admitted.ts';

test('a set is in words the same in whatever order the service returns it', () => {
  const lists = ['email_domains', 'email_addresses'];
  const inWords = (...domains: readonly string[]): string =>
    entriesInWords({ email_domains: domains, email_addresses: ['ana@example.net'] }, lists);
  expect(inWords('example.org', 'example.com')).toBe('ana@example.net, example.com, example.org');
  expect(inWords('example.com', 'example.org')).toBe(inWords('example.org', 'example.com'));
  expect(inWords('d', 'c', 'b', 'a')).toBe('a, ana@example.net, b and 2 more');
  expect(inWords('c', 'a', 'd', 'b')).toBe(inWords('d', 'c', 'b', 'a'));
});
