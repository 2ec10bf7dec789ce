import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/options.ts';
import { setUp, withRoute } from './support/setup.ts';

const pem = readFileSync(new URL('../generators/data/partners-ca.pem', import.meta.url), 'utf8');

async function shown(path: string, body: object, normalize: EmulatorOptions['normalize']) {
  return (await setUp(normalize === undefined ? {} : { normalize }).call('POST', path, body)).body;
}

test('a certificate gains a final line break, loses carriage returns, or is encoded again', async () => {
  const sent = { ca_pem: pem.trimEnd().replaceAll('\n', '\r\n') };
  const as = async (normalize: EmulatorOptions['normalize']) =>
    (await shown('/certificate_authorities', sent, normalize))['ca_pem'];
  expect(await as(undefined)).toBe(sent.ca_pem);
  expect(await as(['final-newline'])).toBe(`${sent.ca_pem}\n`);
  expect(await as(['unix-newlines', 'final-newline'])).toBe(pem);
  expect(await as(['pem'])).toMatch(/^-----BEGIN CERTIFICATE-----\n.{76}\n/);
});

test('texts are trimmed, JSON is written again, times get fractions and an offset', async () => {
  const sent = { description: ' Sensors ', metadata: '{ "team": "web" }' };
  expect(await shown('/reserved_addrs', sent, ['trimmed', 'json', 'fractions', 'offsets'])).toMatchObject({
    description: 'Sensors',
    metadata: '{"team":"web"}',
    created_at: '2027-03-01T12:00:00.000000+00:00',
  });
});

test('the host of a match is in lower case, and its path is not', async () => {
  const { route } = await withRoute({ match: 'Shop.Example.com/Admin' }, { normalize: ['lower-case'] });
  expect(route.body['match']).toBe('shop.example.com/Admin');
});

test('what is empty is null, or has no key', async () => {
  const route = { request_headers: { add: {}, remove: [] } };
  const nulls = await withRoute(route, { normalize: ['null-lists'] });
  expect(nulls.route.body['request_headers']).toEqual({ enabled: true, add: null, remove: null });
  const keyless = await withRoute(route, { normalize: ['null-lists', 'no-nulls'] });
  expect(keyless.route.body['request_headers']).toEqual({ enabled: true });
  expect(keyless.route.body).not.toHaveProperty('saml');
});

test('secrets are shown as `secrets` says, and never rewritten', async () => {
  const { route } = await withRoute(
    { webhook_verification: { provider: 'GitHub', secret: ' key ' } },
    { normalize: ['trimmed', 'lower-case'] },
  );
  expect(route.body['webhook_verification']).toMatchObject({ secret: ' key ' });
});

test('fractions are stored in single precision, and whole numbers as they are', async () => {
  const { call } = setUp({ normalize: ['single-precision'] });
  const { id } = (await call('POST', '/edges/https', { hostports: ['shop.example.com:443'] })).body;
  const route = {
    match_type: 'path_prefix',
    match: '/',
    backend: { backend_id: 'bkd_1' },
    circuit_breaker: { error_threshold_percentage: 0.1 },
    oauth: { provider: { google: {} }, maximum_duration: 4_294_967_295 },
  };
  const { body } = await call('POST', `/edges/https/${String(id)}/routes`, route);
  expect(body).toMatchObject({
    circuit_breaker: { error_threshold_percentage: Math.fround(0.1) },
    oauth: { maximum_duration: 4_294_967_295 },
  });
});
