import type { Plan } from './plan.ts';

/** A plan with other values; what the plan finds only when asked is not asked for, as spreading would. */
export function revisedPlan<P extends Plan>(plan: P, values: Partial<Plan>): P {
  const descriptors = { ...Object.getOwnPropertyDescriptors(plan), ...Object.getOwnPropertyDescriptors(values) };
  return Object.defineProperties({ ...values }, descriptors) as P;
}
