/*
 * Law 9, Fewest requests: observing takes the least GETs the API allows for what is managed; every changed resource
 * takes one write unless the API forces more; an unchanged one takes none. At its end, an apply lists once more what it
 * created and the service does not keep unique.
 *
 * Broken on purpose in a copy, and found here: every resource read once more after its list; modules put one by one where one PATCH takes them all.
 */
import { describe, expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import type { Change } from '../../src/model/plan/plan.ts';
import { harness, printed, type Harness } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import { sampleSize } from '../support/samples.ts';
import { asScenario, edited, files, profiles } from './cases.ts';

test.each(profiles)('law 9, under %s: an unchanged stack is read once and written never', async (profile) => {
  await mustHold({
    // Where nothing was ever applied there is no state file, and so everything is refreshed.
    on: edited(profile).filter(({ before }) => before.length > 0),
    runs: sampleSize(6, 15),
    scenario: ({ before }) => asScenario(profile, before),
    holds: async ({ before }) => {
      const walk = harness({ profile });
      await walk.converge(files(before));
      const asked = await requestsOf(walk, async () => expect((await walk.plan(files(before))).plan.steps).toEqual([]));
      expect(asked.sort()).toEqual(fewestReads(walk).sort());
    },
  });
});

test('law 9, under completed: a changed resource takes one write, and one more for each module taken away', async () => {
  await mustHold({
    on: edited('completed', {
      deeds: ['take over a field', 'leave out a field', 'swap access controls', 'replace the spec'],
    }),
    runs: sampleSize(10, 30),
    scenario: ({ before, after }) => asScenario('completed', before, after),
    holds: async ({ before, after }) => {
      const walk = harness();
      await walk.converge(files(before));
      const { plan } = await walk.plan(files(after));
      for (const change of plan.changes) {
        // A step that only makes room or safety for others is what the API forces.
        const own = plan.steps.filter(({ address, role }) => address === change.address && role !== 'prepare');
        expect(own.length, `${change.address} in\n${printed(plan, kinds, true)}`).toBe(fewestWrites(change));
      }
    },
  });
});

// Lists have 100 to a page.
const pages = sampleSize(3, 10);

describe(`law 9: ${String(pages)}00 edges with 3 routes each`, () => {
  const walk = harness();
  const manifests = { 'stack.yaml': Array.from({ length: pages * 100 }, (_, n) => edge(n, 20)).join('---\n') };

  test('are read with one list request for 100, and not written when nothing has changed', async () => {
    await walk.converge(manifests);
    const asked = await requestsOf(walk, async () => expect((await walk.plan(manifests)).plan.steps).toEqual([]));
    expect(asked.map((request) => request.split('?')[0])).toEqual(
      Array.from({ length: pages }, () => 'GET /edges/https'),
    );
  });

  test('take exactly one write when one module of one route changes', async () => {
    const changed = {
      'stack.yaml': Array.from({ length: pages * 100 }, (_, n) => edge(n, n === 150 ? 30 : 20)).join('---\n'),
    };
    const { plan } = await walk.plan(changed);
    const asked = await requestsOf(walk, async () => expect((await walk.apply(plan)).requests).toBe(1));
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/^PATCH .edges.https.[^/]+.routes.[^/]+$/);
  });
});

test('law 9: an apply lists once more only what it created and the service does not keep unique', async () => {
  const walk = harness();
  const address = (name: string) =>
    `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${name}}\nspec: {region: eu}\n`;
  const { plan } = await walk.plan({ 'stack.yaml': [edge(1, 20), address('one'), address('two')].join('---\n') });
  const asked = await requestsOf(walk, async () => expect((await walk.apply(plan)).duplicates).toEqual([]));
  const reads = asked.filter((request) => request.startsWith('GET '));
  expect(reads.map((request) => request.split('?')[0])).toEqual(['GET /reserved_addrs']);
});

async function requestsOf({ emulator }: Harness, work: () => Promise<void>): Promise<string[]> {
  const already = emulator.log.length;
  await work();
  return emulator.log
    .slice(already)
    .filter(({ actor }) => actor === undefined)
    .map(({ method, path }) => `${method} ${path}`);
}

/** One list for each kind that is managed; where a kind has no list, one read for each resource. What is nested comes along. */
function fewestReads({ emulator, profile }: Harness): string[] {
  const resources = emulator
    .snapshot()
    .resources.filter(({ kind, parent }) => parent === undefined && kinds.named(kind) !== undefined);
  const reads = resources.map(({ kind: name, id }) => {
    const kind = kinds.named(name);
    const listed = kind?.operations.list === 'described' || profile === 'completed';
    return `GET ${kind?.path ?? ''}${listed ? '' : `/${id}`}`;
  });
  return [...new Set(reads)];
}

function fewestWrites({ action, fields, kind: name, desired, actual, markerOnly, deletedWith }: Change): number {
  const kind = kinds.named(name);
  const late = Object.entries(kind?.fields ?? {}).filter(
    ([field, { is }]) => is === 'leaf' && (desired?.[field] ?? null) !== null && isLate(name, field),
  ).length;
  const creating = 1 + Math.min(1, late);
  if (action === 'none' || action === 'forget') return 0;
  if (action === 'create') return creating;
  if (action === 'delete') return deletedWith === undefined ? 1 : 0;
  if (action !== 'update') return creating + (deletedWith === undefined ? 1 : 0);
  const gone = Object.entries(kind?.fields ?? {}).filter(
    ([field, { is }]) =>
      is === 'group' &&
      isModule(name, field) &&
      (actual?.[field] ?? null) !== null &&
      (desired?.[field] ?? null) === null,
  );
  const rest = fields.filter(({ path }) => !gone.some(([field]) => field === path[0]));
  return gone.length + (rest.length > 0 || markerOnly ? 1 : 0);
}

function isLate(kind: string, name: string): boolean {
  const field = kinds.named(kind)?.fields[name];
  return field?.is === 'leaf' && field.notOnCreate === true;
}

function isModule(kind: string, name: string): boolean {
  const field = kinds.named(kind)?.fields[name];
  return field?.is === 'group' && field.path !== undefined;
}

function edge(n: number, threshold: number): string {
  const routes = ['/', '/cart', '/admin'].map(
    (match) =>
      `    - {match_type: path_prefix, match: ${match}, backend: {backend_id: bkd_${n}}, circuit_breaker: {volume_threshold: ${match === '/cart' ? threshold : 20}}}\n`,
  );
  return `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop-${n}}\nspec:\n  hostports: ["shop-${n}.example.com:443"]\n  routes:\n${routes.join('')}`;
}
