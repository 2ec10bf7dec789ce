import type { SpecObject } from '../src/kinds/value.ts';
import { planOf } from '../test/plan/support.ts';
import type { Line } from './line.ts';

const oauth = { oauth: { provider: { google: { email_domains: ['example.com'] } } } };
const network = { ip_restriction: { ip_policy_ids: ['ipp_office'] } };

/** Planning for one edge with many routes that all change, beside one with half as many. */
export function routes(): Promise<Line[]> {
  const line = (what: string, before: SpecObject | undefined, after: SpecObject): Line => {
    planned(100, before, after);
    const [half, whole] = [planned(600, before, after), planned(1_200, before, after)];
    return { what, figure: whole / half, most: 2.6, from: `${whole.toFixed(0)} ms` };
  };
  return Promise.resolve([
    line('an edge with 1,200 new routes: CPU / with 600', undefined, oauth),
    line('1,200 routes get a guard: CPU / 600', {}, oauth),
    line('1,200 routes swap their guards: CPU / 600', oauth, network),
  ]);
}

function planned(count: number, before: SpecObject | undefined, after: SpecObject): number {
  const edge = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
  const all = (more: SpecObject): Readonly<Record<string, SpecObject>> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `HTTPSEdgeRoute/shop:/r${n === 0 ? '' : n}`,
        { backend: { backend_id: 'bkd_app' }, compression: {}, ...more },
      ]),
    );
  const begun = process.cpuUsage();
  planOf({
    wanted: { ...edge, ...all(after) },
    ...(before === undefined ? {} : { ours: { ...edge, ...all(before) } }),
  });
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
