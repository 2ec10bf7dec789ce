import { isSpecObject, UnavailableValue, type SpecValue } from '../../kinds/value.ts';
import type { Plan } from '../../model/plan.ts';

/** How many values a plan would write that were not available where the manifests were read. */
export function unavailableValues({ changes }: Pick<Plan, 'changes'>): number {
  return changes.reduce((sum, { desired }) => sum + countIn(desired ?? null), 0);
}

function countIn(value: SpecValue): number {
  if (value instanceof UnavailableValue) return 1;
  const items = Array.isArray(value)
    ? (value as readonly SpecValue[])
    : isSpecObject(value)
      ? Object.values(value)
      : [];
  return items.reduce<number>((sum, item) => sum + countIn(item), 0);
}
