import { expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { writeManifests } from '../../../src/manifest/write/write-manifests.ts';

test('a route at / whose edge is not written has a file that is read again: no hidden one', () => {
  const spec = { edge_id: 'edghts_9', match_type: 'path_prefix', match: '/' };
  const actual = { kind: 'HTTPSEdgeRoute', id: 'edghtsrt_1', parent: 'edghts_9', spec, computed: {} };
  const { documents } = writeManifests([{ actual, address: 'HTTPSEdgeRoute/edghts_9:/' }], { kinds });
  expect(documents.map(({ file }) => file)).toEqual(['edghtsrt-1']);
});

test('many resources of one name, and routes in as many edges, are written in proportion', { timeout: 60_000 }, () => {
  const all = Array.from({ length: 15_000 }, (_, n) => {
    const edge = { kind: 'HTTPSEdge', id: `edghts_${String(n)}`, spec: { description: 'shop' }, computed: {} };
    const spec = { edge_id: edge.id, match_type: 'path_prefix', match: '/' };
    return [edge, { kind: 'HTTPSEdgeRoute', id: `edghtsrt_${String(n)}`, parent: edge.id, spec, computed: {} }];
  }).flat();
  const { documents } = writeManifests(
    all.map((actual) => ({ actual })),
    { kinds },
  );
  const names = new Set(documents.map(({ file }) => file));
  expect([names.size, names.has('shop'), names.has('shop-15000')]).toEqual([15_000, true, true]);
  expect(
    documents.every(({ value }) => Array.isArray((value['spec'] as Readonly<Record<string, unknown>>)['routes'])),
  ).toBe(true);
});
