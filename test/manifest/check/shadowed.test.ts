import { describe, expect, test } from 'vitest';
import { loadText } from '../../support/manifests.ts';

/** Warnings of an edge with routes, each `MATCH` or `MATCH exactly`. */
async function warnings(hostports: string, ...matches: string[]): Promise<string[]> {
  const routes = matches.map((match) => {
    const [text, exactly] = match.split(' ');
    return `    - {match_type: ${exactly === undefined ? 'path_prefix' : 'exact_path'}, match: "${text ?? ''}"}\n`;
  });
  const edge = `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec:\n  hostports: [${hostports}]\n  routes:\n`;
  const { diagnostics } = await loadText(`${edge}${routes.join('')}`);
  return diagnostics.map(
    ({ place, code, message, related }) =>
      `${String(place?.line)} ${code} ${message} (${related?.map((other) => String(other.place.line)).join() ?? ''})`,
  );
}

const [shop, www] = ['shop.example.com:443', 'www.example.com:443'];
const hiddenBy = (match: string, ...others: string[]) => {
  const names = others.map((other) => `HTTPSEdgeRoute/shop:${other}`).join(' and ');
  return `${match} SHADOWED the resource receives only requests whose Host header names another host: ${names} ${others.length === 1 ? 'receives' : 'receive'} all other requests that this \`match\` selects`;
};

describe('a route that sees no request for the hosts of its edge is reported, with what hides it:', () => {
  test.each<[string, string, string[], string[]]>([
    [
      'a path under the host of the edge',
      shop,
      ['/cart', 'shop.example.com'],
      [`${hiddenBy('7', 'shop.example.com')} (8)`],
    ],
    [
      'an exact path under its prefix',
      shop,
      ['/cart exactly', 'shop.example.com/ca'],
      [`${hiddenBy('7', 'shop.example.com/ca')} (8)`],
    ],
    [
      'an exact path under the same one of the host',
      shop,
      ['/cart exactly', 'shop.example.com/cart exactly'],
      [`${hiddenBy('7', 'shop.example.com/cart')} (8)`],
    ],
    [
      'every host has one of its own',
      `${shop}, ${www}`,
      ['/', 'shop.example.com', 'www.example.com'],
      [`${hiddenBy('7', 'shop.example.com', 'www.example.com')} (8,9)`],
    ],
    [
      'the same requests spelled twice',
      shop,
      ['shop.example.com', 'shop.example.com/'],
      [
        '8 SHADOWED the resource receives no requests: HTTPSEdgeRoute/shop:shop.example.com receives all requests that this `match` selects (7)',
      ],
    ],
  ])('%s', async (_what, hostports, matches, expected) => {
    expect(await warnings(hostports, ...matches)).toEqual(expected);
  });
});

test('the same host in other letters is the same route', async () => {
  expect(await warnings(shop, 'shop.example.com/', 'Shop.example.com/')).toEqual([
    '8 DUPLICATE_ADDRESS HTTPSEdgeRoute/shop:shop.example.com/ is defined twice (7)',
  ]);
});

describe('a route that sees some requests is not:', () => {
  test.each<[string, string, string[]]>([
    ['a longer prefix beside a shorter', shop, ['/', '/cart', '/cart/']],
    ['an exact path beside a prefix of the same host', shop, ['shop.example.com/', 'shop.example.com/cart exactly']],
    ['a prefix beside an exact path of the host', shop, ['/cart', 'shop.example.com/cart exactly']],
    ['a shorter prefix than that of the host', shop, ['/', 'shop.example.com/cart']],
    ['one of two hosts is left', `${shop}, ${www}`, ['/', 'shop.example.com']],
    ['any host may come', '"*.example.com:443"', ['/', 'shop.example.com']],
    ['no hostport is known', '', ['/', 'shop.example.com']],
  ])('%s', async (_what, hostports, matches) => {
    expect(await warnings(hostports, ...matches)).toEqual([]);
  });
});
