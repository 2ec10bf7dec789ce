import { expect, test } from 'vitest';
import { setUp } from '../support/setup.ts';

const urls = ['https://a.example.com/x', 'https://a.example.com/y', 'http://b.example.com:8080/'];

test('a new report is pending, and so is every host of it', async () => {
  const { call } = setUp();
  const { status, body } = await call('POST', '/abuse_reports', { urls, metadata: 'case 7' });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    urls,
    metadata: 'case 7',
    status: 'PENDING',
    hostnames: [
      { hostname: 'a.example.com', status: 'PENDING' },
      { hostname: 'b.example.com', status: 'PENDING' },
    ],
  });
});

test('a report is processed in part, then whole', async () => {
  const { call, pass } = setUp();
  const { body } = await call('POST', '/abuse_reports', { urls });
  const status = async () => (await call('GET', `/abuse_reports/${String(body['id'])}`)).body['status'];
  pass(60);
  expect(await status()).toBe('PARTIALLY_PROCESSED');
  pass(60);
  expect(await status()).toBe('PROCESSED');
});

test('a ban is lifted in time', async () => {
  const { call, pass } = setUp();
  const many = Array.from({ length: 8 }, (_, index) => `https://h${index}.example.com`);
  const { body } = await call('POST', '/abuse_reports', { urls: many });
  const statuses = async () => {
    const { body: report } = await call('GET', `/abuse_reports/${String(body['id'])}`);
    return new Set((report['hostnames'] as readonly { readonly status: string }[]).map(({ status }) => status));
  };
  pass(600);
  expect(await statuses()).toEqual(new Set(['BANNED', 'IGNORE']));
  pass(31 * 86_400);
  expect(await statuses()).toEqual(new Set(['UNBANNED', 'IGNORE']));
});

test('a key without access may neither file nor read', async () => {
  const { call } = setUp({ abuseReports: 'refused' });
  expect((await call('POST', '/abuse_reports', { urls })).status).toBe(403);
  expect((await call('GET', '/abuse_reports/abrp_1')).status).toBe(403);
});

test('where rules are not enforced, hosts of other URLs are judged too, and a report of nothing stays pending', async () => {
  const { call } = setUp({ profile: 'documented' });
  const other = await call('POST', '/abuse_reports', {
    urls: ['ftp://Files.example.com/x', 'not a url', 'a.example.com:8080/x'],
  });
  const hostnames = other.body['hostnames'] as readonly { readonly hostname: string }[];
  expect(hostnames.map(({ hostname }) => hostname)).toEqual(['files.example.com', 'not a url', 'a.example.com:8080/x']);
  expect((await call('POST', '/abuse_reports', { urls: [] })).body).toMatchObject({ status: 'PENDING', hostnames: [] });
});

test('reports cannot be listed', async () => {
  expect((await setUp().call('GET', '/abuse_reports')).status).toBe(405);
});
