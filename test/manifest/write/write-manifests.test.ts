import { expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { writeManifests } from '../../../src/manifest/write/write-manifests.ts';

test('a route at / whose edge is not written has a file that is read again: no hidden one', () => {
  const spec = { edge_id: 'edghts_9', match_type: 'path_prefix', match: '/' };
  const actual = { kind: 'HTTPSEdgeRoute', id: 'edghtsrt_1', parent: 'edghts_9', spec, computed: {} };
  const { documents } = writeManifests([{ actual, address: 'HTTPSEdgeRoute/edghts_9:/' }], { kinds });
  expect(documents.map(({ file }) => file)).toEqual(['edghtsrt-1']);
});
