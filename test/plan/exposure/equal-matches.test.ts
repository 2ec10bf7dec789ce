import { expect, test } from 'vitest';
import { backend, oauth, planOf } from '../support.ts';

// Which of the two a service takes is not described; a service may accept both.
test.each([['shop.example.com', 'shop.example.com/'] as const, ['shop.example.com/', 'shop.example.com'] as const])(
  'of %s with a sign-in and %s without, the open one counts, for either may take the requests',
  (restricted, open) => {
    const { hazards } = planOf({
      wanted: {
        'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
        'HTTPSEdgeRoute/shop:guarded': { match: restricted, match_type: 'path_prefix', ...backend, ...oauth },
        'HTTPSEdgeRoute/shop:open': { match: open, match_type: 'path_prefix', ...backend },
      },
    });
    expect(hazards.map(({ code, urls }) => `${code} ${String(urls)}`)).toEqual([
      'EXPOSES_PUBLICLY https://shop.example.com/…',
    ]);
  },
);

test('one that is open for OPTIONS requests alone counts before one that asks them too', () => {
  const exempt = { oauth: { ...oauth.oauth, options_passthrough: true } };
  const { hazards } = planOf({
    wanted: {
      'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
      'HTTPSEdgeRoute/shop:guarded': { match: 'shop.example.com', match_type: 'path_prefix', ...backend, ...oauth },
      'HTTPSEdgeRoute/shop:open': { match: 'shop.example.com/', match_type: 'path_prefix', ...backend, ...exempt },
    },
  });
  expect(hazards.map(({ code, asked }) => `${code} ${asked?.after ?? ''}`)).toEqual([
    'EXPOSES_PUBLICLY authentication (anyone with a Google account, except OPTIONS requests)',
  ]);
});
