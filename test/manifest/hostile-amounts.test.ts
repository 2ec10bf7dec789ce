import { expect, test } from 'vitest';
import { dependencyOrder } from '../../src/manifest/expand/dependency-order.ts';
import { loadFiles } from '../support/manifests.ts';

const head = 'apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec:\n';
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);
const each = (count: number, text: (n: number) => string, between = ', '): string =>
  upTo(count).map(text).join(between);

const edges = (count: number, more: (n: number) => string): string =>
  `apiVersion: sluice/v1\nkind: List\nitems:\n${each(count, (n) => `  - {apiVersion: sluice/v1, kind: HTTPSEdge, metadata: {name: e${n}}, ${more(n)}}\n`, '')}`;
const twice = edges(1000, () => 'spec: {hostports: []}');

test.each<[string, Readonly<Record<string, string>>]>([
  ['one large file under two names', { 'a.yaml': twice, 'b.yaml': twice }],
  [
    'a chain of renames',
    { 'a.yaml': edges(2000, (n) => `lifecycle: {moved_from: HTTPSEdge/e${n + 1}}, spec: {hostports: []}`) },
  ],
  [
    'many routes behind many hosts',
    {
      'a.yaml': `${head}  hostports: [${each(300, (n) => `h${n}.example.com:443`)}]\n  routes:\n${each(3000, (n) => `    - {match_type: exact_path, match: /${n}}\n`, '')}${each(300, (n) => `    - {match_type: exact_path, match: h${n}.example.com/none}\n`, '')}`,
    },
  ],
  [
    'unresolved values beside wrong ones',
    { 'a.yaml': `${head}  hostports: [${each(10_000, () => '{from_env: A}')}, ${each(10_000, () => 'x')}]\n` },
  ],
  ['many broken documents', { 'a.yaml': '---\na: 1\n b: 2\n'.repeat(20_000) }],
])('%s: what is wrong is found in seconds', async (_, files) => {
  const before = process.cpuUsage();
  await loadFiles(files);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000_000).toBeLessThan(5);
});

test('many cycles at the end of a long chain are found in one walk', () => {
  const count = 4000;
  const chain = upTo(count).map((n): [string, string[]] => [
    `c${n}`,
    n + 1 < count ? [`c${n + 1}`] : upTo(count).map((other) => `self${other}`),
  ]);
  const cycles = upTo(count).map((n): [string, string[]] => [`self${n}`, [`self${n}`]]);
  const before = performance.now();
  const found = dependencyOrder(new Map([...chain, ...cycles]));
  expect(performance.now() - before).toBeLessThan(1000);
  expect([found.cycles.length, found.order.length]).toEqual([count, count]);
});
