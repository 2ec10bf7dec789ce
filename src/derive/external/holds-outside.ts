import { isSpecObject, OutsideValue, type SpecValue } from '../../kinds/value.ts';

/** Whether a value, or anything in it, came from outside and is masked. */
export function holdsOutside(given: SpecValue): boolean {
  if (Array.isArray(given)) return (given as readonly SpecValue[]).some(holdsOutside);
  return given instanceof OutsideValue || (isSpecObject(given) && Object.values(given).some(holdsOutside));
}
