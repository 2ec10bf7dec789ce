import { execFileSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { writeKind } from './corpus.ts';
import { exposureInMemory } from './exposure-in-memory.ts';
import type { Line } from './line.ts';
import { benchStack, used, type BenchStack, type Usage } from './stack.ts';

const pairs = 11;

/** Whether the third route of each edge is public. */
type ThirdRoute = 'public' | 'protected';

interface Case {
  readonly what: string;
  /** As applied before; without it, nothing is. */
  readonly account?: ThirdRoute;
  readonly manifests: ThirdRoute;
  readonly hazards: number;
}

const cases: readonly Case[] = [
  { what: 'plan that creates 1,000 edges with three routes', manifests: 'public', hazards: 1_000 },
  { what: 'plan that creates as many without a public route', manifests: 'protected', hazards: 0 },
  { what: 'no-op plan of 1,000 edges with three routes', account: 'public', manifests: 'public', hazards: 0 },
  {
    what: 'plan that gives 1,000 public routes an access control',
    account: 'public',
    manifests: 'protected',
    hazards: 1_000,
  },
  { what: 'plan that takes it away again', account: 'protected', manifests: 'public', hazards: 2_000 },
];

/** What a whole `sluice plan` takes more for judging who can reach what, beside a build that orders the steps and judges nothing (decisions/0084). */
export async function exposure(): Promise<Line[]> {
  const stack = await benchStack();
  try {
    execFileSync(process.execPath, ['bench/programs-to-compare.mjs', stack.dir], { stdio: 'inherit' });
    const lines: Line[] = [];
    let applied: ThirdRoute | undefined;
    for (const one of cases) {
      if (one.account !== undefined && one.account !== applied) {
        applied = one.account;
        writeManifests(stack, applied);
        await stack.sluice('apply', '--auto-approve', '--parallelism', '100');
      }
      writeManifests(stack, one.manifests);
      lines.push(await line(one, stack));
    }
    return [...lines, ...exposureInMemory()];
  } finally {
    await stack.end();
  }
}

function writeManifests({ dir }: BenchStack, third: ThirdRoute): void {
  const route = (match: string, isPublic: boolean): string[] => [
    '    - match_type: path_prefix',
    `      match: ${match}`,
    '      backend: {backend_id: bkd_app}',
    ...(isPublic ? [] : ['      oauth: {provider: {google: {email_domains: [example.com]}}}']),
  ];
  const edge = (n: number): string[] => [
    'kind: HTTPSEdge',
    `metadata: {name: e${n}}`,
    'spec:',
    `  hostports: [e${n}.example.com:443]`,
    '  routes:',
    ...route('/', false),
    ...route('/api', false),
    ...route('/docs', third === 'public'),
  ];
  writeKind(dir, 'edges', 1_000, edge, 10);
}

/** The median of pairs, once a pair in JSON has shown that both programs plan the same. */
async function line({ what, hazards }: Case, { dir }: BenchStack): Promise<Line> {
  const pair = async (...args: readonly string[]): Promise<readonly [Usage, Usage]> => [
    await used(join(dir, 'judging/sluice.js'), ['-C', dir, 'plan', ...args]),
    await used(join(dir, 'not-judging/sluice.js'), ['-C', dir, 'plan', ...args]),
  ];
  // Their code caches are written by the first run.
  await pair();
  const [judged, bare] = (await pair('--format', 'json')).map(({ out }) => shownPlan(out));
  if (judged?.hazards !== hazards || bare?.hazards !== 0 || !isDeepStrictEqual(judged.rest, bare.rest))
    throw new Error(`${what}: the programs that are compared do not plan the same, but for ${hazards} hazards`);
  const measured: (readonly [Usage, Usage])[] = [];
  for (let n = 0; n < pairs; n++) measured.push(await pair());
  const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[pairs >> 1] ?? NaN;
  const more = median(measured.map(([whole, without]) => whole.cpuMs - without.cpuMs));
  return {
    what: `${what}: CPU / without judging access`,
    figure: median(measured.map(([whole, without]) => whole.cpuMs / without.cpuMs)),
    most: 1.1,
    from: `${more.toFixed(0)} ms more`,
  };
}

// What a plan shows of hazards, and what depends on them or on the time.
const judgements = new Set(['hazards', 'exposure_changes', 'public_by_policy', 'digest', 'review_digest', 'timestamp']);

function shownPlan(json: string): { readonly hazards: number | undefined; readonly rest: unknown } {
  const { hazards } = JSON.parse(json) as { readonly hazards?: readonly unknown[] };
  const rest: unknown = JSON.parse(json, (name, value: unknown) => (judgements.has(name) ? undefined : value));
  return { hazards: hazards?.length, rest };
}
