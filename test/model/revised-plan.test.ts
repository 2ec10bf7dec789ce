import { expect, test } from 'vitest';
import { revisedPlan } from '../../src/model/plan/plan.ts';
import { backend, planOf } from '../plan/support.ts';

const plan = planOf({
  wanted: { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] }, 'HTTPSEdgeRoute/shop:/': backend },
});

test('A revised plan has the other values, and the rest of the plan', () => {
  expect(revisedPlan(plan, { diagnostics: [], gapMs: 5 })).toEqual({ ...plan, diagnostics: [], gapMs: 5 });
});

test('Revising a plan does not ask for its exposure changes', () => {
  let asked = 0;
  const lazy = {
    ...plan,
    get exposureChanges() {
      asked += 1;
      return plan.exposureChanges;
    },
  };
  const revised = revisedPlan(lazy, { gapMs: 5 });
  expect(asked).toBe(0);
  expect(revised.exposureChanges).toHaveLength(1);
  expect(asked).toBe(1);
});
