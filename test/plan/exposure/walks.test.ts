/*
 * No walk of plans opens a door unsaid. Random manifests are planned and applied step by step, whole or targeted, to the
 * end or in part, with drift in between; after each plan, who is let in is judged by what knows nothing of plans:
 *
 *   who was let in when it last reached something      who is let in      a plan on the way said so, at that URL
 *
 * Every fourth walk is rougher: longer, with more drift, and more applies that end early.
 * WALKS=10000 runs that many; SEED sets the first one.
 */
import { expect, test } from 'vitest';
import type { Address } from '../../../src/model/address.ts';
import type { Seen } from '../../support/front-door.ts';
import { hazards } from '../support.ts';
import { drawFrom, drifted, edited, firstManifests } from './walks.ts';
import { walkJudge, type Unsaid } from './walk-judge.ts';
import { applied, nothing, planIn, readingOfWorld, type World } from './walk-world.ts';

interface Miss extends Unsaid {
  readonly seed: number;
  readonly trail: readonly string[];
}

/** Takes one walk; everything that was opened unsaid. */
function missesOf(seed: number): Miss[] {
  const draw = drawFrom(seed);
  let world: World = nothing;
  let manifests = firstManifests(draw);
  const { judge } = walkJudge();
  const misses: Miss[] = [];
  const trail: string[] = [];
  const { turns, drifts, endsEarly } =
    seed % 4 === 0 ? { turns: 10, drifts: 0.5, endsEarly: 0.4 } : { turns: 6, drifts: 0.35, endsEarly: 0.2 };
  for (let turn = 0; turn < turns; turn++) {
    for (let edits = draw.below(3); turn > 0 && edits >= 0; edits--) manifests = edited(manifests, draw);
    if (draw.chance(drifts)) world = drifted(world, draw);
    const targets = draw.chance(0.25) ? someOf(Object.keys(manifests), draw.below) : undefined;
    const plan = planIn(world, manifests, targets === undefined ? {} : { targets });
    if (plan.diagnostics.some(({ severity }) => severity === 'error')) continue;
    const recorded = readingOfWorld({ actual: world.applied, unmanaged: {} });
    const before = readingOfWorld(world);
    const isShort = draw.chance(endsEarly);
    const failing = isShort && draw.chance(0.5) ? plan.steps[draw.below(plan.steps.length)]?.address : undefined;
    const most = isShort && failing === undefined ? draw.below(3) : Infinity;
    world = applied(world, plan, most, failing);
    const after = readingOfWorld(world);
    trail.push(
      `turn ${String(turn)}, ${targets?.join(', ') ?? 'whole'}, ${failing === undefined ? (most === Infinity ? 'to the end' : `the first ${String(most)} changes`) : `${failing} fails`}`,
    );
    trail.push(`  requests ${JSON.stringify(plan.steps.map(({ id, request }) => [id, request.body]))}`);
    trail.push(
      ...shownReading('  was', before),
      ...shownReading('  is ', after),
      ...hazards(plan).map((line) => `  ${line}`),
    );
    const turnTaken = { plan, before, after, recorded, isWhole: most === Infinity && failing === undefined };
    for (const one of judge(turnTaken)) misses.push({ ...one, seed, trail: [...trail] });
  }
  return misses;
}

function shownReading(when: string, reading: readonly Seen[]): string[] {
  return reading.map(
    ({ id, spec }) => `${when} ${id} ${JSON.stringify({ ...spec, match: undefined, edge_id: undefined })}`,
  );
}

function someOf(addresses: readonly Address[], below: (limit: number) => number): Address[] {
  const chosen = addresses.filter(() => below(3) === 0);
  return chosen.length === 0 ? [addresses[below(addresses.length)] ?? ''] : chosen;
}

const walks = Number(process.env['WALKS'] ?? 60);

test('no walk of plans lets anybody in unsaid', { timeout: 240_000 + walks * 100 }, () => {
  const first = Number(process.env['SEED'] ?? 1);
  const misses = Array.from({ length: walks }, (_, index) => missesOf(first + index)).flat();
  const summary = misses.map(({ seed, place, path, what }) => `${String(seed)}: ${what} at ${place}${path}`);
  expect(summary.slice(0, 20), misses[0]?.trail.join('\n')).toEqual([]);
});
