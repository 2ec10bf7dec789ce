import { pointerOf } from '../../derive/pointer.ts';
import { isSpecObject, OutsideValue, Ref, Secret, type Path, type SpecValue } from '../../kinds/value.ts';

/** What JSON documents show of a secret, by the pointer of its field. */
export type ShownSecret = (pointer: string, secret: Secret) => unknown;

/** A value as JSON documents show it: each secret as `shown` returns for its path, ids and values not known yet as `{ref: Kind/name}`. */
export function maskedJson(value: SpecValue, shown: ShownSecret, path: Path = []): unknown {
  if (value instanceof Secret) return shown(pointerOf(path), value);
  if (value instanceof Ref) return value.toJSON();
  if (Array.isArray(value)) return value.map((item, index) => maskedJson(item as SpecValue, shown, [...path, index]));
  if (!isSpecObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskedJson(item, shown, [...path, key])]));
}

/** What stands for a masked value in JSON: that it is sensitive, and for a value from outside its origin. */
export function maskMark(secret: Secret): {
  readonly sensitive: true;
  readonly from_env?: string;
  readonly from_file?: string;
} {
  return { sensitive: true, ...(secret instanceof OutsideValue ? secret.origin : {}) };
}
