import { leavesOf } from '../../kinds/leaves.ts';
import { UnavailableValue } from '../../kinds/value.ts';
import type { Plan } from '../../model/plan/plan.ts';

/** How many values a plan would write that were not available where the manifests were read. */
export function unavailableValues({ changes }: Pick<Plan, 'changes'>): number {
  const written = changes.flatMap(({ desired }) => leavesOf(desired ?? null));
  return written.filter(({ value }) => value instanceof UnavailableValue).length;
}
