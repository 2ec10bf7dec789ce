import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spellings } from '../../src/derive/spelling/spelling.ts';
import { dependencyOrder } from '../../src/manifest/expand/dependency-order.ts';
import { readStackFile } from '../../src/manifest/stack-file/stack-file.ts';
import { makeVariables } from '../../src/manifest/variables/variables.ts';
import { loadFiles, loadText, temporaryFiles } from '../support/manifests.ts';

const head = 'apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec:\n';
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);
const each = (count: number, text: (n: number) => string, between = ', '): string =>
  upTo(count).map(text).join(between);

const edges = (count: number, more: (n: number) => string): string =>
  `apiVersion: sluice/v1\nkind: List\nitems:\n${each(count, (n) => `  - {apiVersion: sluice/v1, kind: HTTPSEdge, metadata: {name: e${n}}, ${more(n)}}\n`, '')}`;
// What is found in proportion takes a second or two. Two copies of a file took minutes while each of its duplicates was looked up by reading it again.
const timeout = 60_000;

test.each<[string, number, Readonly<Record<string, string>>]>([
  ['one large file under two names', 101, twice(edges(3000, () => 'spec: {hostports: []}'))],
  [
    'a chain of renames',
    0,
    { 'a.yaml': edges(4000, (n) => `lifecycle: {moved_from: HTTPSEdge/e${n + 1}}, spec: {hostports: []}`) },
  ],
  [
    'many routes behind many hosts',
    0,
    {
      'a.yaml': `${head}  hostports: [${each(300, (n) => `h${n}.example.com:443`)}]\n  routes:\n${each(6000, (n) => `    - {match_type: exact_path, match: /${n}}\n`, '')}${each(300, (n) => `    - {match_type: exact_path, match: h${n}.example.com/none}\n`, '')}`,
    },
  ],
  [
    'unresolved values beside wrong ones',
    101,
    { 'a.yaml': `${head}  hostports: [${each(20_000, () => '{from_env: A}')}, ${each(20_000, () => 'x')}]\n` },
  ],
  ['many broken documents', 101, { 'a.yaml': '---\na: 1\n b: 2\n'.repeat(20_000) }],
])('%s: what is wrong is found in proportion', { timeout }, async (_, reported, files) => {
  expect((await loadFiles(files)).diagnostics).toHaveLength(reported);
});

/** A file under two names. */
function twice(text: string): Readonly<Record<string, string>> {
  return { 'a.yaml': text, 'b.yaml': text };
}

test('many cycles at the end of a long chain are found in one walk', { timeout }, () => {
  const count = 10_000;
  const chain = upTo(count).map((n): [string, string[]] => [
    `c${n}`,
    n + 1 < count ? [`c${n + 1}`] : upTo(count).map((other) => `self${other}`),
  ]);
  const cycles = upTo(count).map((n): [string, string[]] => [`self${n}`, [`self${n}`]]);
  const found = dependencyOrder(new Map([...chain, ...cycles]));
  expect([found.cycles.length, found.order.length]).toEqual([count, count]);
});

const long = (word: string, n: number): string => `${word}${String(n).padStart(6, '0').repeat(9)}`;

test('many unknown variables beside many declared ones are found in proportion', { timeout }, async () => {
  const declared = new Map(upTo(500).map((n) => [long('v', n), { type: 'string' as const, value: 'x' }]));
  const variables = makeVariables(declared, { apiKeys: [], others: [] });
  const text = `${head}  hostports:\n${each(10_000, (n) => `    - {var: ${long('w', n)}}\n`, '')}`;
  expect((await loadText(text, { variables })).diagnostics).toHaveLength(101);
});

test('many exceptions from unknown access rules beside many rules are found in proportion', { timeout }, () => {
  const rules = each(3500, (n) => `    - {name: ${long('r', n)}, urls: [a], require: [network]}\n`, '');
  const exceptions = each(3500, (n) => `    - {rule: ${long('q', n)}, url: a, reason: b, until: "2030-01-31"}\n`, '');
  const access = `access:\n  rules:\n${rules}  exceptions:\n${exceptions}`;
  const dir = temporaryFiles({ 'sluice.yaml': `version: 1\nstack: {name: prod, id: 7f3a9c21}\n${access}` });
  expect(readStackFile(join(dir, 'sluice.yaml')).diagnostics).toHaveLength(101);
});

test('a URL in sluice.yaml is no longer than any that works', () => {
  const api = `api: {base_url: "https://a.example.com/${'/'.repeat(500_000)}x"}`;
  const dir = temporaryFiles({ 'sluice.yaml': `version: 1\nstack: {name: prod, id: 7f3a9c21}\n${api}\n` });
  const { diagnostics } = readStackFile(join(dir, 'sluice.yaml'));
  expect(diagnostics.map((one) => one.message)).toEqual(['`api.base_url` must be at most 2048 characters long']);
});

test('an event type of many dots is warned about in proportion', { timeout }, async () => {
  const type = JSON.stringify(`${'.'.repeat(400_000)}\nx`);
  const text = `apiVersion: sluice/v1\nkind: EventSubscription\nmetadata: {name: a}\nspec: {sources: [{type: ${type}}]}\n`;
  expect((await loadText(text)).diagnostics.map(({ code }) => code)).toEqual(['UNKNOWN_VALUE']);
});

test.each([
  ['header-value', `a${' '.repeat(600_000)}b`],
  ['json', `{"a":1${'0'.repeat(600_000)}1}`],
] as const)('a %s with a long run inside is spelled in proportion', { timeout }, (comparison, text) => {
  expect(String(spellings[comparison].of(text)).length).toBeGreaterThan(600_000);
});
