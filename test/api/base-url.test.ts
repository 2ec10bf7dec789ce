import { expect, test } from 'vitest';
import { baseUrl } from '../../src/api/base-url.ts';

test.each([
  ['https://api.example.com', { origin: 'https://api.example.com', prefix: '' }],
  ['https://api.example.com:8443/v1/', { origin: 'https://api.example.com:8443', prefix: '/v1' }],
  ['http://127.0.0.1:8080', { origin: 'http://127.0.0.1:8080', prefix: '' }],
  ['http://[::1]:8080', { origin: 'http://[::1]:8080', prefix: '' }],
])('%s is a base URL', (text, read) => {
  expect(baseUrl(text)).toEqual(read);
});

test.each([
  ['https://ada@api.example.com', 'the base URL contains a user name or password'],
  ['https://:hunter2@api.example.com', 'the base URL contains a user name or password'],
  ['https://ada:hunter2@api.example.com', 'the base URL contains a user name or password'],
  ['https://api.example.com/?key=hunter2', 'the base URL contains a query or fragment'],
  ['https://api.example.com/#hunter2', 'the base URL contains a query or fragment'],
  ['http://api.example.com', 'the base URL uses plain http to another machine'],
  ['http://127.0.0.1.example.com', 'the base URL uses plain http to another machine'],
  ['ftp://api.example.com', 'the base URL is not an http or https URL'],
  ['api.example.com', 'the base URL is not an http or https URL'],
])('%s is refused, and the error does not repeat it', (text, reported) => {
  expect(() => baseUrl(text)).toThrow(reported);
  expect(() => baseUrl(text)).not.toThrow('hunter2');
});
