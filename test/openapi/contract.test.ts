import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import type { EmulatorOptions } from '../../src/emulator/options.ts';
import { readExchanges, readShapes, type Exchange } from '../contract/fixture.ts';
import { holdsIn, replay, type Profile, type Received, type Sent } from '../contract/replay.ts';
import { createConformance } from './conformance.ts';
import { operationsOf, readDocument } from './document.ts';

// The exchanges written by hand from the tables, played again: here the judge is the document derived from the kinds.

const shapes = readShapes();
const conformance = createConformance();

describe.each<Profile>(['completed', 'documented'])('under %s, what the document shows of', (profile) => {
  const held = readExchanges().filter((exchange) => holdsIn(exchange, profile));
  it.each([...new Set(held.map(({ family }) => family))])('%s holds in every exchange', async (family) => {
    const exchanges = held.filter((exchange) => exchange.family === family);
    const traffic = (await Promise.all(exchanges.map((exchange) => played(exchange, profile)))).flat();
    expect(traffic.length).toBeGreaterThan(exchanges.length);
    expect(traffic.flatMap(([sent, received]) => conformance.answer(sent, received))).toEqual([]);
    // Under documented a service may take what the completed rules forbid.
    if (profile === 'documented') return;
    expect(traffic.filter(isAccepted).flatMap(([sent]) => conformance.request(sent))).toEqual([]);
  });
});

it('every call of the document is among the exchanges, with a success', async () => {
  const traffic = (await Promise.all(readExchanges().map((exchange) => played(exchange, 'completed')))).flat();
  const succeeded = traffic.filter(isAccepted).map(([{ method, path }]) => `${method} ${path.replace(/\?.*$/, '')}`);
  const never = [...operationsOf(readDocument()).keys()].filter(
    (call) => !succeeded.some((sent) => new RegExp(`^${call.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(sent)),
  );
  expect(never).toEqual([]);
});

it.each<EmulatorOptions>([
  { readBack: 'as-sent' },
  { cookiePrefix: 'empty' },
  { secrets: 'empty' },
  { secrets: 'masked' },
  { nextPageUri: 'path' },
])('a service that differs by %j answers as the document shows, too', async (differs) => {
  const exchanges = readExchanges().map((exchange) => ({ ...exchange, service: { ...exchange.service, ...differs } }));
  const traffic = (await Promise.all(exchanges.map((exchange) => played(exchange, 'completed')))).flat();
  expect(traffic.flatMap(([sent, received]) => conformance.answer(sent, received))).toEqual([]);
});

describe('the document finds out', () => {
  const sent = (method: string, path: string, body?: object): Sent => ({
    method,
    path,
    headers: {},
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const address = { id: 'ra_1', uri: '/reserved_addrs/ra_1', created_at: '2027-01-01T00:00:00Z' };

  it.each([
    ['a key it does not know', 200, { ...address, adr: 'x' }],
    ['a key that is missing', 200, { ...address, created_at: undefined }],
    ['a time that is none', 200, { ...address, created_at: 'yesterday' }],
    ['a word that is not of the list', 200, { ...address, region: 'moon' }],
    ['a reference without its uri', 200, { ...address, endpoint_configuration: { id: 'ec_1' } }],
    ['a status it does not know', 302, {}],
    ['a refusal without a message', 400, { status_code: 400, details: { operation_id: 'op_1' } }],
  ])('an answer with %s', (_, status, body) => {
    const request = sent('GET', '/reserved_addrs/ra_1');
    expect(conformance.answer(request, { status, headers: {}, body: JSON.stringify(body) })).not.toEqual([]);
  });

  it.each([
    ['POST', '/reserved_addrs', { regoin: 'eu' }],
    ['POST', '/reserved_addrs', { endpoint_configuration_id: 'ec_1' }],
    ['POST', '/agent_ingresses', {}],
    ['POST', '/agent_ingresses', { domain: '' }],
    ['POST', '/agent_ingresses', { domain: '-bad-.com' }],
    ['POST', '/abuse_reports', { urls: ['not a url'] }],
    ['POST', '/edges/https', { hostports: ['shop.example.com:70000'] }],
    ['PUT', '/edges/https/edghts_1/routes/edghtsrt_1/backend', { backend_id: '' }],
    ['PUT', '/edges/https/edghts_1/routes/edghtsrt_1/circuit_breaker', { rolling_window: 0 }],
    ['PUT', '/edges/https/edghts_1/routes/edghtsrt_1/request_headers', { add: { 'a b': 'c' } }],
    ['PUT', '/edges/https/edghts_1/routes/edghtsrt_1/request_headers', { add: { a: 'b\nc' } }],
    ['POST', '/event_subscriptions', { sources: [] }],
    ['PATCH', '/reserved_addrs/ra_1', { region: 'eu' }],
    ['PUT', '/edges/https/edghts_1/routes/edghtsrt_1/circuit_breaker', { num_buckets: 129 }],
    ['POST', '/tunnel_sessions/ts_1/stop', { now: true }],
    ['GET', '/edges/https/edghts_1/routes', undefined],
  ])('%s %s with %j', (method, path, body) => {
    expect(conformance.request(sent(method, path, body))).not.toEqual([]);
  });
});

it.each([
  ['POST', '/reserved_addrs', { region: '' }],
  ['POST', '/ssh_host_certificates', { ssh_certificate_authority_id: 's', public_key: 'k', valid_after: '' }],
  ['PATCH', '/edges/https/edghts_1/routes/edghtsrt_1', { match: '', match_type: '' }],
  ['PATCH', '/event_subscriptions/esb_1', { sources: [] }],
  ['PATCH', '/edges/https/edghts_1/routes/edghtsrt_1', { match: null, match_type: null }],
])('the document takes what is empty for a field that is left out: %s %s with %j', (method, path, body) => {
  expect(conformance.request({ method, path, headers: {}, body: JSON.stringify(body) })).toEqual([]);
});

type Traffic = readonly [Sent, Received];

function isAccepted([, { status }]: Traffic): boolean {
  return status < 300;
}

/** Every request of an exchange with what the emulator answered. */
async function played(exchange: Exchange, profile: Profile): Promise<readonly Traffic[]> {
  let now = Date.parse('2026-06-01T12:00:00Z');
  const emulator = createEmulator({
    profile,
    vendor: 'example',
    apiKey: 'contract-key',
    seed: exchange.name,
    clock: () => new Date(now),
    ...exchange.service,
  });
  for (const agent of exchange.agents ?? []) emulator.addAgent(agent);
  const traffic: Traffic[] = [];
  const overhear = async (sent: Sent): Promise<Received> => {
    const received = await emulator.handle(sent);
    traffic.push([sent, received]);
    return received;
  };
  await replay(exchange, profile, shapes, overhear, (seconds) => (now += seconds * 1000));
  return traffic;
}
