import type { SpecObject } from '../src/kinds/value.ts';
import type { PlanInput } from '../src/plan/input.ts';
import { planStack } from '../src/plan/plan.ts';
import { inputOf } from '../test/plan/support.ts';
import type { Line } from './line.ts';

const oauth = { oauth: { provider: { google: { email_domains: ['example.com'] } } } };
const network = { ip_restriction: { ip_policy_ids: ['ipp_office'] } };

/** What may happen to all routes of an edge at once. */
export const routeChanges: readonly {
  readonly what: string;
  readonly before: SpecObject | undefined;
  readonly after: SpecObject;
}[] = [
  { what: 'new routes', before: undefined, after: oauth },
  { what: 'routes that get an access control', before: {}, after: oauth },
  { what: 'routes that exchange theirs', before: oauth, after: network },
];

/** Planning for one edge with many routes that all change, beside one with half as many. */
export function routes(): Promise<Line[]> {
  return Promise.resolve(
    routeChanges.map(({ what, before, after }): Line => {
      planned(100, before, after);
      const [half, whole] = [planned(600, before, after), planned(1_200, before, after)];
      return {
        what: `${what}, 1,200 of one edge: CPU / for 600`,
        figure: whole / half,
        most: 2.6,
        from: `${whole.toFixed(0)} ms`,
      };
    }),
  );
}

/** One edge with so many routes, which all change. */
export function changedRoutes(count: number, before: SpecObject | undefined, after: SpecObject): PlanInput {
  const edge = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
  const all = (more: SpecObject): Readonly<Record<string, SpecObject>> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `HTTPSEdgeRoute/shop:/r${n === 0 ? '' : n}`,
        { backend: { backend_id: 'bkd_app' }, compression: {}, ...more },
      ]),
    );
  return inputOf({
    wanted: { ...edge, ...all(after) },
    ...(before === undefined ? {} : { ours: { ...edge, ...all(before) } }),
  });
}

function planned(count: number, before: SpecObject | undefined, after: SpecObject): number {
  const input = changedRoutes(count, before, after);
  const begun = process.cpuUsage();
  planStack(input);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
