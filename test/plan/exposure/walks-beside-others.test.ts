/*
 * An edge of others whose wildcard covers the hostports of the stack hides nothing: each plan of a random walk says of a URL
 * what it says without that edge, whatever its owner has there, and changes between two plans.
 * WALKS=2000 runs that many; SEED sets the first one.
 */
import { expect, test } from 'vitest';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { hazards, type Specs } from '../support.ts';
import { controls } from '../visitors.ts';
import { drawFrom, drifted, edited, firstManifests, type Draw } from './walks.ts';
import { applied, nothing, planIn, type World } from './walk-world.ts';

/** An edge of others with a wildcard for all hostports of a walk, and a route or two. */
function others(draw: Draw): Specs {
  const route = { backend: { backend_id: 'bkd_others' } };
  const name = draw.one(Object.keys(controls));
  const asked = draw.chance(0.6) ? { [name]: draw.one(controls[name] ?? []) } : {};
  return {
    'HTTPSEdge/all': { hostports: ['*.com:443'] },
    'HTTPSEdgeRoute/all:/': { ...route, ...asked },
    ...(draw.chance(0.3) ? { 'HTTPSEdgeRoute/all:/x': route } : {}),
  };
}

/** What a plan says is opened, by hazard and URL. */
function openedBy({ hazards: found }: Plan): string[] {
  return found
    .filter(({ code, temporary }) => ['OPENS_ACCESS', 'EXPOSES_PUBLICLY'].includes(code) && temporary !== true)
    .flatMap(({ code, urls = [] }) => urls.map((url) => `${code} ${url}`));
}

/** Whether a URL, such as `https://a.example.com/x… at b.example.com:443`, has all requests of another. */
function covers(wider: string, one: string): boolean {
  const [prefix = '', at] = wider.split('…');
  return (
    wider === one ||
    (at !== undefined && one.startsWith(prefix) && (at === '' ? !one.includes(' at ') : one.endsWith(at)))
  );
}

/** Takes one walk, up to the first plan that says less beside the edge of others. */
function missesOf(seed: number): string[] {
  const draw = drawFrom(seed);
  let alone: World = nothing;
  let lastAccess: World['lastAccess'] = {};
  let manifests = firstManifests(draw);
  const trail: string[] = [];
  for (let turn = 0; turn < 7; turn++) {
    for (let edits = draw.below(3); turn > 0 && edits >= 0; edits--) manifests = edited(manifests, draw);
    if (draw.chance(0.2)) alone = drifted(alone, draw);
    const beside = { ...alone, lastAccess, unmanaged: { ...alone.unmanaged, ...others(draw) } };
    const [plan, other] = [planIn(alone, manifests), planIn(beside, manifests)];
    if (plan.diagnostics.some(({ severity }) => severity === 'error')) continue;
    trail.push(
      `turn ${String(turn)} beside ${JSON.stringify(beside.unmanaged)}`,
      ...hazards(plan).map((line) => `  alone:  ${line}`),
      ...hazards(other).map((line) => `  beside: ${line}`),
    );
    const said = openedBy(other);
    const misses = openedBy(plan).filter((one) => !said.some((wider) => covers(wider, one)));
    if (misses.length > 0) return [`${String(seed)}, turn ${String(turn)}: ${misses.join(', ')}`, ...trail];
    ({ lastAccess } = applied(beside, other));
    alone = applied(alone, plan);
  }
  return [];
}

const walks = Number(process.env['WALKS'] ?? 40);

test('no edge of others keeps a plan from saying what it opens', { timeout: 120_000 + walks * 100 }, () => {
  const first = Number(process.env['SEED'] ?? 1);
  const misses = Array.from({ length: walks }, (_, index) => missesOf(first + index)).filter(
    ({ length }) => length > 0,
  );
  expect(
    misses.map(([summary]) => summary),
    misses[0]?.join('\n'),
  ).toEqual([]);
});
