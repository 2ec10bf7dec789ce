import { expect, test } from 'vitest';
import { inSlices } from '../../src/model/sliced.ts';
import { exposureMapInSteps } from '../../src/plan/access-policy/exposure-map.ts';
import { plannedRouting } from '../../src/plan/access-policy/planned-routing.ts';
import { decidePlan } from '../../src/plan/decide-plan.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import { planStack } from '../../src/plan/plan.ts';
import { planWithEndpoints } from '../../src/plan/plan-with-endpoints.ts';
import { backend, inputOf, type Specs } from './support.ts';

test('A plan gives other work a turn for each resource, in every pass over the resources', async () => {
  const turns = await turnsOf(1_000);
  expect(turns).toBeGreaterThan(5 * 1_000);
  expect(await turnsOf(2_000)).toBeGreaterThan(1.9 * turns);
});

test('A timer runs while a plan is made, and the plan is the one that is made at once', async () => {
  const input = reservedAddresses(100);
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  const { plan } = await planWithEndpoints(input, noEndpoints, () => new Promise((done) => setTimeout(done, 0)));
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(10);
  expect(plan).toEqual(planStack(input));
});

test('A map of what can be reached gives other work a turn for each class of requests', async () => {
  let turns = 0;
  const names = Array.from({ length: 100 }, (_, n) => `e${n}`);
  const edges = names.map((name): [string, Specs[string]] => [
    `HTTPSEdge/${name}`,
    { hostports: [`${name}.example.com:443`] },
  ]);
  const routes = names.map((name): [string, Specs[string]] => [`HTTPSEdgeRoute/${name}:/`, backend]);
  const given = Object.fromEntries([...edges, ...routes]);
  const routing = plannedRouting(decidePlan(inputOf({ wanted: given, ours: given })));
  await inSlices(exposureMapInSteps(routing, 'now'), () => {
    turns += 1;
    return undefined;
  });
  expect(turns).toBeGreaterThanOrEqual(100);
});

/** How many turns other work gets while so many unchanged resources are planned. */
async function turnsOf(count: number): Promise<number> {
  let turns = 0;
  await planWithEndpoints(reservedAddresses(count), noEndpoints, () => {
    turns += 1;
    return undefined;
  });
  return turns;
}

function reservedAddresses(count: number): PlanInput {
  const specs = Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`ReservedAddr/a${n}`, { region: 'eu', description: `Address ${n}` }]),
  );
  return inputOf({ wanted: specs, ours: specs });
}

const noEndpoints = (): Promise<readonly []> => Promise.resolve([]);
