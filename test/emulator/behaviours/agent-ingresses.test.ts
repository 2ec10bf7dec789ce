import { expect, test } from 'vitest';
import { setUp } from '../support/setup.ts';

async function withIngress() {
  const all = setUp();
  const { body } = await all.call('POST', '/agent_ingresses', {
    domain: 'connect.example.com',
    certificate_management_policy: { authority: 'free' },
  });
  const path = String(body['uri']);
  const status = async () =>
    (await all.call('GET', path)).body['certificate_management_status'] as Record<string, unknown>;
  return { ...all, path, status };
}

test('URIs of ingresses are paths alone', async () => {
  const { path } = await withIngress();
  expect(path).toMatch(/^\/agent_ingresses\/agin_/);
});

test('a certificate is provisioned, stands, and is renewed', async () => {
  const { pass, status } = await withIngress();
  expect(await status()).toEqual({
    renews_at: null,
    provisioning_job: { msg: expect.any(String) as string, started_at: '2027-03-01T12:00:00Z', retries_at: null },
  });
  pass(30);
  expect(await status()).toEqual({ renews_at: '2027-04-30T12:00:00Z', provisioning_job: null });
  pass(60 * 86_400 - 30);
  expect(await status()).toMatchObject({ provisioning_job: { started_at: '2027-04-30T12:00:00Z' } });
  pass(30);
  expect(await status()).toEqual({ renews_at: '2027-06-29T12:00:00Z', provisioning_job: null });
});

test('a temporary failure reports when it is tried again', async () => {
  const { emulator, pass, status } = await withIngress();
  emulator.failCertificates('connect.example.com', 'INTERNAL_ERROR');
  pass(301);
  expect(await status()).toMatchObject({
    provisioning_job: { error_code: 'INTERNAL_ERROR', retries_at: '2027-03-01T12:10:00Z' },
  });
  emulator.failCertificates('connect.example.com', undefined);
  expect(await status()).toMatchObject({ provisioning_job: null });
});

test('a wrong domain stays wrong until it is corrected', async () => {
  const { emulator, pass, status } = await withIngress();
  emulator.failCertificates('connect.example.com', 'DNS_ERROR');
  pass(86_400);
  const { provisioning_job: job } = await status();
  expect(job).toMatchObject({ error_code: 'DNS_ERROR', retries_at: null });
});

test('a change of something else does not begin again', async () => {
  const { call, path, pass, status } = await withIngress();
  pass(40);
  await call('PATCH', path, { description: 'agents' });
  expect(await status()).toMatchObject({ provisioning_job: null });
});

test('regions are added as time goes by, in no order', async () => {
  const { call, path, pass } = await withIngress();
  const domains = async () => [...((await call('GET', path)).body['region_domains'] as readonly string[])].sort();
  expect(await domains()).toEqual(['ap.connect.example.com', 'eu.connect.example.com', 'us.connect.example.com']);
  pass(86_400);
  expect(await domains()).toHaveLength(4);
});
