import { OutsideValue, type Secret } from '../../kinds/value.ts';

/** What stands for a masked value in JSON: that it is sensitive, and for a value from outside its origin. */
export function maskMark(secret: Secret): {
  readonly sensitive: true;
  readonly from_env?: string;
  readonly from_file?: string;
} {
  return { sensitive: true, ...(secret instanceof OutsideValue ? secret.origin : {}) };
}
