import { describe, expect, test } from 'vitest';
import { embeddedIn, fromWire, UnexpectedAnswer } from '../../../src/derive/wire/from-wire.ts';
import { joinMetadata, makeMarker } from '../../../src/derive/marker.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { Secret } from '../../../src/kinds/value.ts';

const edge = kinds.named('HTTPSEdge')!;
const route = kinds.named('HTTPSEdgeRoute')!;
const marker = makeMarker({ name: 'prod', id: '7f3a9c21' }, 'HTTPSEdge/shop', { protect: false, retain: false }, 'n0');

test('an edge as answered is read into write form', () => {
  const answer = {
    id: 'edghts_1',
    uri: 'https://api.example.com/edges/https/edghts_1',
    created_at: '2026-01-01T00:00:00Z',
    description: 'Public shop',
    metadata: joinMetadata('{"team":"web"}', marker),
    hostports: ['shop.example.com:443'],
    mutual_tls: { enabled: true, certificate_authorities: [{ id: 'ca_1', uri: '/certificate_authorities/ca_1' }] },
    tls_termination: { enabled: true, terminate_at: 'edge', min_version: null },
    routes: [],
    added_next_year: { by: 'the service' },
  };
  expect(fromWire(edge, answer)).toEqual({
    kind: 'HTTPSEdge',
    id: 'edghts_1',
    spec: {
      description: 'Public shop',
      metadata: '{"team":"web"}',
      hostports: ['shop.example.com:443'],
      mutual_tls: { enabled: true, certificate_authority_ids: ['ca_1'] },
      tls_termination: { enabled: true },
    },
    computed: {
      id: 'edghts_1',
      uri: 'https://api.example.com/edges/https/edghts_1',
      created_at: '2026-01-01T00:00:00Z',
      tls_termination: { terminate_at: 'edge' },
    },
    marker,
  });
});

test('sets and headers are read in one order, whatever the order of the response: a plan is the same each time it is made', () => {
  const specs = [['b', 'a'] as const, ['a', 'b'] as const].map((names) => [
    fromWire(edge, { id: 'edghts_1', hostports: names.map((name) => `${name}.example.com:443`) }).spec,
    fromWire(route, {
      id: 'edghtsrt_1',
      request_headers: {
        add: Object.fromEntries(names.map((name) => [name, name])),
        remove: names.map((name) => `x-${name}`),
      },
    }).spec,
  ]);
  expect(JSON.stringify(specs[0])).toBe(JSON.stringify(specs[1]));
});

test('a route knows the edge it lives in from its own answer, or from where it was found', () => {
  const answer = { id: 'edghtsrt_1', edge_id: 'edghts_1', match: '/', match_type: 'path_prefix' };
  expect(fromWire(route, answer)).toMatchObject({ parent: 'edghts_1', spec: { edge_id: 'edghts_1', match: '/' } });
  expect(fromWire(route, { ...answer, edge_id: undefined }, 'edghts_2')).toMatchObject({
    parent: 'edghts_2',
    spec: { edge_id: 'edghts_2' },
  });
  expect(fromWire(route, { ...answer, edge_id: undefined })).not.toHaveProperty('parent');
});

test('modules that are null are not there, references are ids, secrets are wrapped', () => {
  const { spec } = fromWire(route, {
    id: 'edghtsrt_1',
    backend: { enabled: true, backend: { id: 'bkd_1', uri: '/backends/bkd_1' } },
    request_headers: { enabled: true, add: { 'x-area': 'a' }, remove: null },
    webhook_verification: { enabled: true, provider: 'slack', secret: 's3cret' },
    oidc: { enabled: true, issuer: 'i', client_id: 'c', client_secret: '', scopes: [] },
    oauth: null,
  });
  expect(spec).toMatchObject({
    backend: { backend_id: 'bkd_1' },
    request_headers: { enabled: true, add: { 'x-area': 'a' } },
    oidc: { issuer: 'i', client_id: 'c', scopes: [] },
  });
  expect(spec).not.toHaveProperty('oauth');
  expect(spec).not.toHaveProperty('oidc.client_secret');
  const { secret } = spec['webhook_verification'] as { secret: Secret };
  expect(secret.reveal()).toBe('s3cret');
  expect(JSON.stringify(spec)).not.toContain('s3cret');
});

test('a reference that is answered as the bare id is taken as well', () => {
  expect(fromWire(route, { id: 'r', backend: { backend: 'bkd_1' } }).spec).toMatchObject({
    backend: { backend_id: 'bkd_1' },
  });
});

test('metadata that is no JSON object carries no marker and reports that', () => {
  expect(fromWire(edge, { id: 'e', metadata: 'plain' })).toMatchObject({
    unmarkable: true,
    spec: { metadata: 'plain' },
  });
  expect(fromWire({ ...edge, fields: {} }, { id: 'e', metadata: 'plain' })).toEqual({
    kind: 'HTTPSEdge',
    id: 'e',
    spec: {},
    computed: {},
  });
});

test('what a service computes inside a list or a module is kept apart from what was written', () => {
  const subscription = kinds.named('EventSubscription')!;
  const answer = {
    id: 'esb_1',
    sources: [{ type: 'a.v0', uri: '/sources/a.v0' }],
    destinations: [{ id: 'ed_1', uri: '/' }],
  };
  expect(fromWire(subscription, answer).spec).toMatchObject({ sources: [{ type: 'a.v0' }], destination_ids: ['ed_1'] });
  const ingress = fromWire(kinds.named('AgentIngress')!, {
    id: 'agin_1',
    certificate_management_policy: { authority: 'a', private_key_type: 'rsa' },
    certificate_management_status: { renews_at: '2027-01-01T00:00:00Z', provisioning_job: null },
  });
  expect(ingress.spec['certificate_management_policy']).toEqual({ authority: 'a', private_key_type: 'rsa' });
  expect(ingress.computed).toEqual({
    id: 'agin_1',
    certificate_management_status: { renews_at: '2027-01-01T00:00:00Z', provisioning_job: null },
  });
});

describe('an answer that is no such resource', () => {
  test.each([
    [null, 'response'],
    ['<html>', 'response'],
    [[], 'response'],
    [{}, 'the response has no `id`'],
    [{ id: '' }, 'the response has no `id`'],
    [{ id: 7 }, 'the response has no `id`'],
    [{ id: 'e', hostports: 'shop.example.com:443' }, '`hostports` is not a list'],
    [{ id: 'e', mutual_tls: 'yes' }, '`mutual_tls` is not an object'],
    [{ id: 'e', description: { text: 'a' } }, '`description` is not a string, number or boolean'],
    [
      { id: 'e', mutual_tls: { certificate_authorities: [{ id: { deep: 1 } }] } },
      '`certificate_authorities` is not a string, number or boolean',
    ],
  ])('is refused: %j', (answer, why) => {
    expect(() => fromWire(edge, answer)).toThrow(UnexpectedAnswer);
    expect(() => fromWire(edge, answer)).toThrow(why);
  });
});

describe('what comes along inside an answer', () => {
  test('are the routes of an edge', () => {
    const answer = {
      id: 'edghts_1',
      routes: [
        { id: 'edghtsrt_1', match: '/' },
        { id: 'edghtsrt_2', match: '/a' },
      ],
    };
    expect(embeddedIn(kinds, edge, answer).map(({ id, parent }) => [id, parent])).toEqual([
      ['edghtsrt_1', 'edghts_1'],
      ['edghtsrt_2', 'edghts_1'],
    ]);
  });

  test('is nothing where there is none, or where the kind holds none', () => {
    expect(embeddedIn(kinds, edge, { id: 'e' })).toEqual([]);
    expect(embeddedIn(kinds, edge, { id: 'e', routes: null })).toEqual([]);
    expect(embeddedIn(kinds, route, { id: 'r', routes: [{}] })).toEqual([]);
  });

  test('must be a list', () => {
    expect(() => embeddedIn(kinds, edge, { id: 'e', routes: {} })).toThrow('`routes` is not a list');
  });
});
