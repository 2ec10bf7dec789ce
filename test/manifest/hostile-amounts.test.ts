import { expect, test } from 'vitest';
import { dependencyOrder } from '../../src/manifest/expand/dependency-order.ts';
import { loadFiles } from '../support/manifests.ts';

const head = 'apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec:\n';
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);
const each = (count: number, text: (n: number) => string, between = ', '): string =>
  upTo(count).map(text).join(between);

const edges = (count: number, more: (n: number) => string): string =>
  `apiVersion: sluice/v1\nkind: List\nitems:\n${each(count, (n) => `  - {apiVersion: sluice/v1, kind: HTTPSEdge, metadata: {name: e${n}}, ${more(n)}}\n`, '')}`;
/** How much more CPU four times as much takes: 4 where it is in proportion, 16 where it is quadratic. Both sizes are read by the same reader. */
async function growth(quarter: () => unknown, whole: () => unknown): Promise<number> {
  await quarter();
  const small = await cpuOf(quarter);
  return (await cpuOf(whole)) / small;
}

async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const mostGrowth = 10;

test.each<[string, number, (size: number) => Readonly<Record<string, string>>]>([
  [
    'one large file under two names',
    1000,
    (size) => {
      const text = edges(size, () => 'spec: {hostports: []}');
      return { 'a.yaml': text, 'b.yaml': text };
    },
  ],
  [
    'a chain of renames',
    4000,
    (size) => ({ 'a.yaml': edges(size, (n) => `lifecycle: {moved_from: HTTPSEdge/e${n + 1}}, spec: {hostports: []}`) }),
  ],
  [
    'many routes behind many hosts',
    3000,
    (size) => ({
      'a.yaml': `${head}  hostports: [${each(size / 10, (n) => `h${n}.example.com:443`)}]\n  routes:\n${each(size, (n) => `    - {match_type: exact_path, match: /${n}}\n`, '')}${each(size / 10, (n) => `    - {match_type: exact_path, match: h${n}.example.com/none}\n`, '')}`,
    }),
  ],
  [
    'unresolved values beside wrong ones',
    10_000,
    (size) => ({
      'a.yaml': `${head}  hostports: [${each(size, () => '{from_env: A}')}, ${each(size, () => 'x')}]\n`,
    }),
  ],
  ['many broken documents', 20_000, (size) => ({ 'a.yaml': '---\na: 1\n b: 2\n'.repeat(size) })],
])('%s: what is wrong is found in proportion', { timeout: 60_000 }, async (_, size, filesOf) => {
  const [quarter, whole] = [filesOf(size / 4), filesOf(size)];
  expect(
    await growth(
      () => loadFiles(quarter),
      () => loadFiles(whole),
    ),
  ).toBeLessThan(mostGrowth);
});

/** A chain at whose end are as many cycles. */
function chainOfCycles(count: number): ReadonlyMap<string, string[]> {
  const chain = upTo(count).map((n): [string, string[]] => [
    `c${n}`,
    n + 1 < count ? [`c${n + 1}`] : upTo(count).map((other) => `self${other}`),
  ]);
  return new Map([...chain, ...upTo(count).map((n): [string, string[]] => [`self${n}`, [`self${n}`]])]);
}

test('many cycles at the end of a long chain are found in one walk', async () => {
  const [quarter, whole] = [chainOfCycles(1000), chainOfCycles(4000)];
  const found = dependencyOrder(whole);
  expect([found.cycles.length, found.order.length]).toEqual([4000, 4000]);
  expect(
    await growth(
      () => dependencyOrder(quarter),
      () => dependencyOrder(whole),
    ),
  ).toBeLessThan(mostGrowth);
});
