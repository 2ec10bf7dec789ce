import { isSpecObject, UnavailableValue, type SpecValue } from '../../kinds/value.ts';
import type { Plan } from '../../model/plan/plan.ts';

/** How many values a plan would write that were not available where the manifests were read. */
export function unavailableValues({ changes }: Pick<Plan, 'changes'>): number {
  return changes.reduce((sum, { desired }) => sum + unavailableIn(desired ?? null), 0);
}

function unavailableIn(value: SpecValue): number {
  if (value instanceof UnavailableValue) return 1;
  const parts = Array.isArray(value)
    ? (value as readonly SpecValue[])
    : isSpecObject(value)
      ? Object.values(value)
      : [];
  return parts.reduce<number>((sum, part) => sum + unavailableIn(part), 0);
}
