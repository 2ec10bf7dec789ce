import { expect, test } from 'vitest';
import { servedEndpoint } from '../../src/kinds/served-endpoint.ts';

test('an endpoint that an edge serves tells which, where, and what the edge carries', () => {
  const answer = {
    id: 'ep_1',
    edge: { id: 'edghts_1', uri: '/' },
    public_url: 'https://shop.example.com',
    metadata: '{}',
  };
  expect(servedEndpoint(answer)).toEqual({ server: 'edghts_1', url: 'https://shop.example.com', metadata: '{}' });
  expect(servedEndpoint({ edge: { id: 'edghts_1' } })).toEqual({ server: 'edghts_1', url: '', metadata: '' });
});

test.each([null, 'text', {}, { edge: null }, { edge: { id: '' } }, { edge: { id: 7 } }])(
  '%j is served by no edge',
  (answer) => {
    expect(servedEndpoint(answer)).toBeUndefined();
  },
);
