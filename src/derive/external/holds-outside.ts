import { isSpecObject, OutsideValue, type SpecValue } from '../../kinds/value.ts';

/** Whether a value, or anything in it, came from outside and is masked. */
export function holdsOutside(value: SpecValue): boolean {
  if (value instanceof OutsideValue) return true;
  if (Array.isArray(value)) return value.some((item: SpecValue) => holdsOutside(item));
  return isSpecObject(value) && Object.values(value).some(holdsOutside);
}
