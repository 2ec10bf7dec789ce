import { expect, test } from 'vitest';
import { servedEndpoint } from '../../src/kinds/served-endpoint.ts';

test('an endpoint that an edge serves tells which, where, and what the edge carries', () => {
  const answer = {
    id: 'ep_1',
    edge: { id: 'edghts_1', uri: '/' },
    public_url: 'https://shop.example.com',
    metadata: '{}',
  };
  expect(servedEndpoint({ ...answer, hostport: 'Shop.example.com:443' })).toEqual({
    id: 'ep_1',
    server: 'edghts_1',
    url: 'https://shop.example.com',
    hostport: 'shop.example.com:443',
    metadata: '{}',
  });
  expect(servedEndpoint({ edge: { id: 'edghts_1' } }).server).toBe('edghts_1');
});

test('an endpoint at a reserved address tells which', () => {
  expect(servedEndpoint({ tcp_addr: { id: 'ra_1' } }).address).toBe('ra_1');
});

test.each([null, 'text', {}, { edge: null }, { edge: { id: '' } }, { edge: { id: 7 } }])(
  '%j is served by no edge',
  (answer) => {
    expect(servedEndpoint(answer).server).toBeUndefined();
  },
);
