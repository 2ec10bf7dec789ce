/*
 * No walk of plans leads to a protected backend with less access control unsaid, and none says so where it is not so.
 * Random manifests with several backends are planned and applied step by step, whole or targeted, to the end or in part;
 * after each plan, who is let in to a backend by which URL is judged by what knows nothing of plans:
 *
 *   who was let in by each URL of it before      who is let in by a URL now      the plan has a hazard about that URL
 *
 * Where no URL led to the backend, those count by which it was last reached. WALKS=2000 runs that many; SEED sets the
 * first one.
 */
import { expect, test } from 'vitest';
import type { SpecObject } from '../../../src/kinds/value.ts';
import type { Hazard } from '../../../src/model/plan/plan.ts';
import { doorsAt, doorsOf, routeFor, type Seen } from '../../support/front-door.ts';
import { sampleSize } from '../../support/samples.ts';
import { hazards, type Specs } from '../support.ts';
import { drawFrom, edited, firstManifests, type Draw } from './walks.ts';
import { applied, nothing, planIn, readingOfWorld, type World } from './walk-world.ts';
import { letsInMore, whoIsLetIn, type LetIn } from './who-is-let-in.ts';

const places = ['a.example.com:443', 'b.example.com:443', 'any.example.com:443'];
const paths = ['/', '/x', '/x/~', '/x/y', '/x/y/~', '/~'];
const ids = ['bkd_app', 'bkd_admin', 'bkd_blog'];

/** A URL of a backend, and who is let in by it. */
interface Entrance {
  readonly place: string;
  readonly path: string;
  readonly letIn: LetIn;
}

/** Every URL of every backend. */
function entrancesOf(reading: readonly Seen[]): ReadonlyMap<string, readonly Entrance[]> {
  const doors = doorsOf(reading);
  const found = new Map<string, Entrance[]>();
  for (const place of places)
    for (const path of paths) {
      const [door] = doorsAt(doors, place);
      const module = door === undefined ? undefined : routeFor(door, place, path)?.spec['backend'];
      const letIn = whoIsLetIn(reading, place, path);
      const id = (module as SpecObject | undefined)?.['backend_id'];
      if (letIn !== undefined && typeof id === 'string')
        found.set(id, [...(found.get(id) ?? []), { place, path, letIn }]);
    }
  return found;
}

function isAbout({ code, urls = [] }: Hazard, { place, path }: Pick<Entrance, 'place' | 'path'>): boolean {
  const host = place.replace(/:443$/, '');
  return (
    code === 'OPENS_ACCESS' &&
    urls.some((url) => {
      const [, name = '', rest = ''] = /^https:\/\/([^/:]+)(\/\S*?)(?: at .*)?$/.exec(url) ?? [];
      const hasHost = name === host || (name.startsWith('*.') && host.endsWith(name.slice(1)));
      return hasHost && (rest.endsWith('…') ? path.startsWith(rest.slice(0, -1)) : rest === path);
    })
  );
}

/** Manifests without matches that have a host: which other hosts requests may name is not judged here. */
function withoutHosts(specs: Specs): Specs {
  return Object.fromEntries(Object.entries(specs).filter(([address]) => !/example\.com\/x$/.test(address)));
}

/** A change of manifests, and of the backends in them. */
function changed(specs: Specs, draw: Draw): Specs {
  const routes = Object.keys(specs).filter((address) => address.startsWith('HTTPSEdgeRoute/'));
  const route = routes[draw.below(routes.length)];
  if (route === undefined || draw.chance(0.6)) return withoutHosts(edited(specs, draw));
  return { ...specs, [route]: { ...specs[route], backend: { backend_id: draw.one(ids) } } };
}

interface Wrong {
  readonly seed: number;
  readonly what: string;
  readonly trail: readonly string[];
}

/** Takes one walk, and counts what is rightly said. */
function walkOf(seed: number): { readonly wrong: readonly Wrong[]; readonly said: number } {
  const draw = drawFrom(seed);
  let world: World = nothing;
  let manifests = withoutHosts(firstManifests(draw));
  const wrong: Wrong[] = [];
  const trail: string[] = [];
  let said = 0;
  const last = new Map<string, readonly Entrance[]>();
  for (let turn = 0; turn < 7; turn++) {
    for (let edits = draw.below(3); turn > 0 && edits >= 0; edits--) manifests = changed(manifests, draw);
    const targets = draw.chance(0.2) ? Object.keys(manifests).filter(() => draw.chance(0.4)) : undefined;
    const plan = planIn(world, manifests, targets === undefined ? {} : { targets });
    if (plan.diagnostics.some(({ severity }) => severity === 'error')) continue;
    const before = entrancesOf(readingOfWorld(world));
    for (const [id, entrances] of before) last.set(id, entrances);
    const isWhole = !draw.chance(0.2);
    world = applied(world, plan, isWhole ? Infinity : draw.below(3));
    const after = entrancesOf(readingOfWorld(world));
    trail.push(
      JSON.stringify({ turn, targets, isWhole }),
      ...Object.entries(world.actual).map((one) => JSON.stringify(one)),
      ...hazards(plan),
    );
    if (!isWhole) continue;
    const opened = [...after].flatMap(([id, entrances]) =>
      entrances
        .filter(
          ({ letIn }) =>
            (last.get(id) ?? []).length > 0 &&
            (last.get(id) ?? []).every((one) => letsInMore(letIn, one.letIn, 'controls')),
        )
        .map((entrance) => ({ id, ...entrance })),
    );
    const wrongly = (what: string): void => void wrong.push({ seed, what, trail: [...trail] });
    for (const entrance of opened)
      if (!plan.hazards.some((hazard) => isAbout(hazard, entrance)))
        wrongly(`unsaid: ${entrance.id} at ${entrance.place}${entrance.path}`);
    for (const hazard of plan.hazards) {
      const id = / reach the backend ([^\s;]+)/.exec(hazard.message)?.[1];
      if (id === undefined) continue;
      said += 1;
      // A URL that no place of these is an example of says nothing here.
      const examples = (after.get(id) ?? []).filter((entrance) => isAbout(hazard, entrance));
      if (
        examples.length > 0 &&
        !examples.some((one) =>
          opened.some(({ id: other, place, path }) => other === id && place === one.place && path === one.path),
        )
      )
        wrongly(`not so: ${hazard.message}`);
    }
  }
  return { wrong, said };
}

test('no walk of plans leads to a protected backend with less access control unsaid, or says so falsely', () => {
  const first = Number(process.env['SEED'] ?? 1);
  const walks = Array.from({ length: Number(process.env['WALKS'] ?? sampleSize(80, 500)) }, (_, at) =>
    walkOf(first + at),
  );
  const wrong = walks.flatMap((one) => one.wrong);
  expect(wrong.map(({ seed, what }) => `${String(seed)}: ${what}`).slice(0, 20), wrong[0]?.trail.join('\n')).toEqual(
    [],
  );
  expect(walks.length < 50 || walks.some(({ said }) => said > 0)).toBe(true);
}, 600_000);
