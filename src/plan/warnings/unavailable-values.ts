import { isSpecObject, UnavailableValue, type SpecValue } from '../../kinds/value.ts';
import type { Plan } from '../../model/plan/plan.ts';

/** How many values a plan would write that were not available where the manifests were read. */
export function unavailableValues({ changes }: Pick<Plan, 'changes'>): number {
  return changes.reduce((sum, { desired }) => sum + unavailableIn(desired ?? null), 0);
}

function unavailableIn(value: SpecValue): number {
  if (value instanceof UnavailableValue) return 1;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + unavailableIn(item as SpecValue), 0);
  let sum = 0;
  if (isSpecObject(value)) for (const name in value) sum += unavailableIn(value[name] ?? null);
  return sum;
}
