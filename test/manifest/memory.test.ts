import { expect, test } from 'vitest';
import { loadManifests } from '../../src/manifest/load.ts';
import { parseDocuments } from '../../src/manifest/read/parse-documents.ts';
import { directory } from '../cli/terminal.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { loadDefaults } from '../support/load-defaults.ts';

const count = 100;

test('of what is parsed, nothing is kept in memory for as long as the resources, and their places are found all the same', async () => {
  const text = Array.from(
    { length: count },
    (_, n) => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: e${n}}
spec:
  hostports: [e${n}.example.com:443]
  routes:
    - match_type: path_prefix
      match: /
      backend: {backend_id: bkd_1}
`,
  ).join('---\n');
  const dir = await directory({ 'all.yaml': text });
  const parsed: WeakRef<object>[] = [];
  const { resources, diagnostics } = await loadManifests({
    ...loadDefaults,
    dir,
    inputs: ['all.yaml'],
    parse: (file) => {
      const documents = [...parseDocuments(file)];
      parsed.push(...documents.map(({ value }) => new WeakRef(value as object)));
      return documents;
    },
  });
  await new Promise((done) => setImmediate(done));
  collectGarbage();
  // The documents that were read last may still be named on the stack.
  expect([parsed.length, parsed.filter((one) => one.deref() !== undefined).length <= 2]).toEqual([count, true]);
  expect([resources.length, diagnostics]).toEqual([2 * count, []]);
  expect(resources[0]?.places.of(['hostports'])).toMatchObject({ file: 'all.yaml', line: 5 });
});
