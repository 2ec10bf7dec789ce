import { expect, test } from 'vitest';
import { loadText } from '../../support/manifests.ts';

/** Warnings of an edge with one route, a line each. */
async function warnings(edge: string, match = '/'): Promise<string[]> {
  const { diagnostics } = await loadText(
    `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec:\n${edge}  routes:\n    - {name: all, match_type: path_prefix, match: "${match}"}\n`,
  );
  return diagnostics.map(({ place, code, message }) => `${String(place?.line)} ${code} ${message}`);
}

test('an edge without hostports receives no requests', async () => {
  expect(await warnings('')).toEqual(['1 UNREACHABLE `hostports` is not set, so no request can reach the resource']);
});

test('an edge whose manifest has an empty list of hostports is accepted', async () => {
  expect(await warnings('  hostports: []\n')).toEqual([]);
});

test('an edge whose hostports are misspelled is reported for that alone', async () => {
  const lines = await warnings('  hostport: [shop.example.com:443]\n');
  expect(lines.map((line) => line.split(' ')[1])).toEqual(['UNKNOWN_FIELD']);
});

test('an edge whose hostports are left as the service has them may have some', async () => {
  const { diagnostics } = await loadText(
    'apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nlifecycle: {ignore: [/hostports]}\n',
  );
  expect(diagnostics).toEqual([]);
});

test.each(['shop.example.org', 'www.shop.example.com/cart', '*.example.org'])(
  'a route for a host that its edge does not serve receives no requests: %s',
  async (match) => {
    expect(await warnings('  hostports: [shop.example.com:443, "*.example.net:443"]\n', match)).toEqual([
      '7 UNREACHABLE no request can reach the resource: `match` selects a host that `hostports` of HTTPSEdge/shop does not contain',
    ]);
  },
);

test.each(['/', 'Shop.example.com', 'shop.example.com/cart', 'a.example.net', '*.example.com'])(
  'a route for any host, or for one that its edge serves, receives some: %s',
  async (match) => {
    expect(await warnings('  hostports: [shop.example.com:443, "*.example.net:443"]\n', match)).toEqual([]);
  },
);

test('a host with a port may be one that the edge serves, and is an unusual match', async () => {
  expect(await warnings('  hostports: [shop.example.com:443]\n', 'shop.example.com:8443/')).toEqual([
    expect.stringMatching(/^7 UNUSUAL_VALUE `HTTPSEdgeRoute.spec.match`: the host of the value has a port/),
  ]);
});
