import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SpecObject } from '../src/kinds/value.ts';
import type { AccessRules } from '../src/model/exposure/access-rules.ts';
import type { PlanInput } from '../src/plan/input.ts';
import { planStack } from '../src/plan/plan.ts';
import { inputOf, type Specs } from '../test/plan/support.ts';
import type { Line } from './line.ts';
import { benchStack } from './stack.ts';

const pairs = 7;
const lines = Number(process.env['BENCH_LOG_LINES'] ?? 10_000_000);
const backend: SpecObject = { backend: { backend_id: 'bkd_app' } };
const oauth: SpecObject = { oauth: { provider: { google: { email_domains: ['example.com'] } } } };

/** Proving access rules for 1,000 edges with ten routes, and comparing a long access log. */
export async function policy(): Promise<Line[]> {
  const specs = edges(1_000);
  return [
    proving('no-op plan of 1,000 edges with ten routes, with three access rules: CPU / without', {
      ours: specs,
      wanted: specs,
    }),
    proving('plan that creates them: CPU with three access rules / without', { wanted: specs }),
    await longLog(),
  ];
}

function edges(count: number): Specs {
  const all = Array.from({ length: count }, (_, n): [string, SpecObject][] => [
    [`HTTPSEdge/e${n}`, { hostports: [`e${n}.example.com:443`] }],
    ...Array.from({ length: 10 }, (_, m): [string, SpecObject] => [
      `HTTPSEdgeRoute/e${n}:${m === 0 ? '/' : `/part${m}`}`,
      m < 2 ? backend : { ...backend, ...oauth },
    ]),
  ]);
  return Object.fromEntries(all.flat());
}

const rules: AccessRules = {
  source: 'operator',
  public: ['*.example.com/', '*.example.com/part1*', '*.example.com/*'],
  rules: [
    { name: 'part2', urls: ['*.example.com/part2*'], require: ['named_users'], exceptMethods: [] },
    {
      name: 'reports',
      urls: ['*.example.com/part3/reports*'],
      require: ['authentication'],
      exceptMethods: ['OPTIONS'],
    },
  ],
  exceptions: [],
  strict: false,
};

/** The median of many pairs, the first of which only warms up. */
function proving(what: string, given: Parameters<typeof inputOf>[0]): Line {
  const bare = inputOf(given);
  const ruled: PlanInput = { ...bare, policy: { ...bare.policy, access: [rules] } };
  const measured = Array.from({ length: pairs + 1 }, () => [cpuOf(ruled), cpuOf(bare)] as const).slice(1);
  const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[pairs >> 1] ?? NaN;
  return {
    what,
    figure: median(measured.map(([withRules, without]) => withRules / without)),
    most: 2,
    from: `${median(measured.map(([withRules]) => withRules)).toFixed(0)} ms`,
  };
}

function cpuOf(input: PlanInput): number {
  const begun = process.cpuUsage();
  planStack(input);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

/** Every tenth line is of a URL that was not asked for before. */
function* accessLog(count: number): Generator<string> {
  const part = 1_000;
  for (let first = 0; first < count; first += part)
    yield Array.from({ length: Math.min(part, count - first) }, (_, n) => {
      const at = first + n;
      const path = at % 10 === 0 ? `/part${at % 7}/item/${at}` : `/part${at % 10}/page${at % 4_000}?q=${at}`;
      return `e${at % 20}.example.com:443 192.0.2.1 - - [22/Nov/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 512 "-" "curl/8.5"\n`;
    }).join('');
}

/** The log is made while it is read, through a named pipe, so that the disk is not measured. */
async function longLog(): Promise<Line> {
  const stack = await benchStack();
  try {
    mkdirSync(join(stack.dir, 'manifests'));
    const route = (match: string, more: string): string =>
      `    - {match_type: path_prefix, match: ${match}, backend: {backend_id: bkd_1}${more}}\n`;
    const signIn = ', oauth: {provider: {google: {email_domains: [example.com]}}}';
    const edge = (n: number): string =>
      `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: e${n}}\nspec:\n  hostports: ["e${n}.example.com:443"]\n  routes:\n${route('/', '')}`;
    const write = (more: string): void => {
      const all = Array.from({ length: 20 }, (_, n) => `${edge(n)}${more}`);
      writeFileSync(join(stack.dir, 'manifests/edges.yaml'), all.join('---\n'));
    };
    write('');
    await stack.sluice('apply', '--auto-approve');
    write(Array.from({ length: 9 }, (_, n) => route(`/part${n + 1}`, signIn)).join(''));
    const pipe = join(stack.dir, 'access.log');
    execFileSync('mkfifo', [pipe]);
    const reading = stack.sluice('trace', '--log', pipe, '--format', 'json');
    await pipeline(Readable.from(accessLog(lines), { objectMode: false }), createWriteStream(pipe));
    const { peakMiB, cpuMs, out } = await reading;
    const { requests } = JSON.parse(out) as { requests: number };
    if (requests !== lines) throw new Error(`${requests} of ${lines} lines were read`);
    return {
      what: `trace --log of ${lines.toLocaleString('en')} lines: peak memory`,
      figure: peakMiB,
      most: 256,
      unit: ' MiB',
      from: `${Math.round(lines / (cpuMs / 1000)).toLocaleString('en')} lines per second of CPU`,
    };
  } finally {
    await stack.end();
  }
}
