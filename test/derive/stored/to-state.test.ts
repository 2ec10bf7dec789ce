import { expect, test } from 'vitest';
import { toState } from '../../../src/derive/stored/to-state.ts';
import { Ref, Secret } from '../../../src/kinds/value.ts';

test('a spec is remembered with digests for secrets and without what is not set', () => {
  const spec = {
    description: null,
    hostports: ['shop.example.com:443', null],
    enabled: false,
    oidc: { client_secret: new Secret('s3cret'), scopes: [], issuer: null },
    edge_id: new Ref('HTTPSEdge/shop'),
  };
  const remembered = toState({}, spec, (text) => `${text.length} characters`);
  expect(remembered).toEqual({
    hostports: ['shop.example.com:443', null],
    enabled: false,
    oidc: { client_secret: { secret: '6 characters' }, scopes: [] },
    edge_id: { ref: 'HTTPSEdge/shop' },
  });
  expect(JSON.stringify(remembered)).not.toContain('s3cret');
});
