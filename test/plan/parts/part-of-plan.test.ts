import { expect, test } from 'vitest';
import { partOfPlan } from '../../../src/plan/parts/part-of-plan.ts';
import { backend, changeOf, order, planOf, requests } from '../support.ts';

test('a part of a plan has the requests of its changes, which wait only for one another', () => {
  const plan = planOf({
    wanted: { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] }, 'HTTPSEdgeRoute/shop:/': backend },
  });
  const [edge, route] = ['HTTPSEdge/shop', 'HTTPSEdgeRoute/shop:/'];
  expect(order(plan).some((line) => line.includes('<-'))).toBe(true);
  const ofRoute = partOfPlan(plan, [changeOf(plan, route)]);
  expect(requests(ofRoute).every((line) => line.includes('/routes'))).toBe(true);
  expect(ofRoute.steps.flatMap(({ dependsOn }) => dependsOn.map(({ step }) => step))).not.toContainEqual(
    expect.stringContaining(`${edge}#`),
  );
  expect(order(partOfPlan(plan, plan.changes))).toEqual(order(plan));
});
