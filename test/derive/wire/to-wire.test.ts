import { describe, expect, test } from 'vitest';
import { splitMetadata } from '../../../src/derive/marker.ts';
import { bodyOf, toWire } from '../../../src/derive/wire/to-wire.ts';
import { Ref, Secret } from '../../../src/kinds/value.ts';

const idOf = (address: string) => `id of ${address}`;
const reported = { idOf, nonce: 'n0', endOf: (seconds: number) => `${seconds} s after apply` };

test('a value goes out with ids for addresses and secrets in the clear', () => {
  const spec = {
    mutual_tls: { certificate_authority_ids: [new Ref('CertificateAuthority/partners'), 'ca_2'] },
    oidc: { client_secret: new Secret('s3cret'), enabled: false },
    hostports: [],
  };
  expect(toWire(spec, idOf)).toEqual({
    mutual_tls: { certificate_authority_ids: ['id of CertificateAuthority/partners', 'ca_2'] },
    oidc: { client_secret: 's3cret', enabled: false },
    hostports: [],
  });
});

test('null goes out as null: a PATCH may mean it', () => {
  expect(toWire({ certificate_management_policy: null }, idOf)).toEqual({ certificate_management_policy: null });
});

describe('the body of a request', () => {
  const base = { method: 'POST', path: ['/edges/https'] } as const;
  const marker = { s: 'prod/7f3a9c21', a: 'HTTPSEdge/shop', p: '', n: '' };

  test('is none where the request has none', () => {
    expect(bodyOf(base, reported)).toBeUndefined();
  });

  test('is what was planned where there is no marker', () => {
    expect(bodyOf({ ...base, body: { description: 'a' } }, reported)).toEqual({ description: 'a' });
  });

  test('reports when it ends, where that is counted from apply', () => {
    const request = { ...base, body: { description: 'a' }, validFor: { field: 'valid_until', seconds: 60 } };
    expect(bodyOf(request, reported)).toEqual({ description: 'a', valid_until: '60 s after apply' });
  });

  test('carries the marker beside the metadata of the user, with the nonce drawn for it', () => {
    const body = { metadata: '{"team":"web"}', description: 'a' };
    const sent = bodyOf({ ...base, body, marker: { field: 'metadata', marker } }, reported) as typeof body;
    expect(sent.description).toBe('a');
    expect(splitMetadata(sent.metadata)).toEqual({
      text: '{"team":"web"}',
      marker: { ...marker, n: 'n0' },
      unmarkable: false,
    });
  });

  test('keeps the nonce that a resource has already, also without metadata of the user', () => {
    const request = { ...base, body: {}, marker: { field: 'metadata', marker: { ...marker, n: 'kept' } } };
    expect(splitMetadata((bodyOf(request, reported) as { metadata: string }).metadata).marker?.n).toBe('kept');
  });
});
