import { kinds, kindSet } from '../src/kinds/index.ts';
import type { SpecObject } from '../src/kinds/value.ts';
import type { PlanInput } from '../src/plan/input.ts';
import { planStack } from '../src/plan/plan.ts';
import { inputOf, type Specs } from '../test/plan/support.ts';
import type { Line } from './line.ts';

const pairs = 15;
const backend: SpecObject = { backend: { backend_id: 'bkd_app' } };
const oauth: SpecObject = { oauth: { provider: { google: { email_domains: ['example.com'] } } } };

/** How planning alone grows by access, in memory: beside the same without any knowledge of traffic, so without an order of steps as well. */
export function exposureInMemory(): Line[] {
  const open = edgesWithRoutes(1_000);
  const closed = edgesWithRoutes(1_000, oauth);
  const cases: readonly (readonly [string, PlanInput])[] = [
    ['no-op plan of 1,000 edges with three routes', inputOf({ ours: open, wanted: open })],
    ['plan that creates them', inputOf({ wanted: open })],
    ['plan that creates as many without a public route', inputOf({ wanted: closed })],
    ['plan that gives 1,000 public routes an access control', inputOf({ ours: open, wanted: closed })],
    ['plan that takes it away again', inputOf({ ours: closed, wanted: open })],
  ];
  return cases.map(([what, input]) => line(`in memory, ${what}: CPU / without access and order`, input));
}

/** So many edges with three routes each, of which one has an access control only where it is given. */
export function edgesWithRoutes(count: number, third: SpecObject = {}): Specs {
  const all = Array.from({ length: count }, (_, n): [string, SpecObject][] => [
    [`HTTPSEdge/e${n}`, { hostports: [`e${n}.example.com:443`] }],
    [`HTTPSEdgeRoute/e${n}:/`, { ...backend, ...oauth }],
    [`HTTPSEdgeRoute/e${n}:/api`, { ...backend, ...oauth }],
    [`HTTPSEdgeRoute/e${n}:/docs`, { ...backend, ...third }],
  ]);
  return Object.fromEntries(all.flat());
}

/** The median of many pairs, the first of which only warms up. */
function line(what: string, input: PlanInput): Line {
  const bare = { ...input, kinds: kindSet(kinds.all.map(({ traffic: _, ...kind }) => kind)) };
  const measured = Array.from({ length: pairs + 1 }, () => [cpuOf(input), cpuOf(bare)] as const).slice(1);
  const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[pairs >> 1] ?? NaN;
  const more = median(measured.map(([whole, without]) => whole - without));
  return {
    what,
    figure: median(measured.map(([whole, without]) => whole / without)),
    from: `${more.toFixed(0)} ms more`,
  };
}

function cpuOf(input: PlanInput): number {
  const begun = process.cpuUsage();
  planStack(input);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
