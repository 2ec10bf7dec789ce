import { leavesOf } from '../../kinds/leaves.ts';
import { OutsideValue, type SpecValue } from '../../kinds/value.ts';

/** Whether a value, or anything in it, came from outside and is masked. */
export function holdsOutside(given: SpecValue): boolean {
  return leavesOf(given).some(({ value }) => value instanceof OutsideValue);
}
