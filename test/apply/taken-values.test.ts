/* Values that a request takes from resources that were created before it. */
import { expect, test } from 'vitest';
import { KnownResources } from '../../src/apply/known-resources.ts';
import { httpsEdge } from '../../src/kinds/https-edge.ts';
import { httpsEdgeRoute } from '../../src/kinds/https-edge-route/index.ts';
import { Ref, Secret, type SpecValue } from '../../src/kinds/value.ts';

const mqtt = 'ReservedAddr/mqtt';

function knowing(computed: Readonly<Record<string, string>>): KnownResources {
  const known = new KnownResources([], () => '0123456789ab');
  const actual = { kind: 'ReservedAddr', id: 'ra_1', spec: {}, computed };
  known.noteCreated(mqtt, { id: 'ra_1', actual, answer: undefined, nonce: '' });
  return known;
}

test('a value is put in place once its resource is created, also in what state keeps', () => {
  const known = knowing({ addr: 'a.example.com:5000' });
  const body = { description: new Ref(mqtt, 'addr') };
  expect(known.withTakenValues(body, httpsEdge, undefined)).toEqual({ description: 'a.example.com:5000' });
  expect(known.withIds(body)).toEqual({ description: 'a.example.com:5000' });
  expect(known.withIds({ description: new Ref('ReservedAddr/other', 'addr') })).toEqual({
    description: new Ref('ReservedAddr/other', 'addr'),
  });
});

test.each([
  [
    'a value that the field does not accept',
    'x'.repeat(300),
    '`addr` of ReservedAddr/mqtt cannot be the value of `description`: the value ',
  ],
  ['a value that the service did not give', '', 'ReservedAddr/mqtt has no `addr` after its creation'],
])('%s fails the change before its request is sent', (_, addr, message) => {
  const body = { description: new Ref(mqtt, 'addr') };
  expect(() => knowing({ addr }).withTakenValues(body, httpsEdge, undefined)).toThrow(message);
});

test('the id of a resource that is not there yet is no part of a request', () => {
  expect(knowing({}).idOf(mqtt)).toBe('ra_1');
  expect(() => knowing({}).idOf('HTTPSEdge/shop')).toThrow('the id of HTTPSEdge/shop is unknown');
});

test.each<[string, SpecValue, string]>([
  ['a secret', new Secret('hunter2'), 'description'],
  ['a text for a field that is a group', 'a', 'mutual_tls'],
  ['a text for a field that there is not', 'a', 'nowhere'],
])('%s cannot be taken: the field must be one of text', (_, addr, field) => {
  const known = new KnownResources([], () => '0123456789ab');
  const actual = { kind: 'ReservedAddr', id: 'ra_1', spec: {}, computed: { addr } };
  known.noteCreated(mqtt, { id: 'ra_1', actual, answer: undefined, nonce: '' });
  expect(() => known.withTakenValues({ [field]: new Ref(mqtt, 'addr') }, httpsEdge, undefined)).toThrow(
    `\`addr\` of ReservedAddr/mqtt cannot be the value of \`${field}\`: the value is not a string`,
  );
});

test('a value for a module is judged by the field of the module', () => {
  const known = knowing({ addr: 'a.example.com:5000' });
  expect(() => known.withTakenValues({ client_id: new Ref(mqtt, 'addr') }, httpsEdgeRoute, undefined)).toThrow(
    'the value is not a string',
  );
  expect(known.withTakenValues({ client_id: new Ref(mqtt, 'addr') }, httpsEdgeRoute, 'oidc')).toEqual({
    client_id: 'a.example.com:5000',
  });
});

test('a value is refused by any check of its field, not only by the first', () => {
  const addresses = (addr: string) => {
    const body = { provider: { github: { email_addresses: [new Ref(mqtt, 'addr')] } } };
    return knowing({ addr }).withTakenValues(body, httpsEdgeRoute, 'oauth');
  };
  expect(addresses('ada@example.com')).toEqual({ provider: { github: { email_addresses: ['ada@example.com'] } } });
  expect(() => addresses('Ada@example.com')).toThrow('the value must be lower case');
});
