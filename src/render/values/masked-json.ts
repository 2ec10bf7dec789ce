import { pointerOf } from '../../derive/pointer.ts';
import { isSpecObject, Ref, Secret, type Path, type SpecValue } from '../../kinds/value.ts';

/** A value as JSON documents show it: each secret as `shown` returns for its path, ids and values not known yet as `{ref: Kind/name}`. */
export function maskedJson(
  value: SpecValue,
  shown: (pointer: string, secret: Secret) => unknown,
  path: Path = [],
): unknown {
  if (value instanceof Secret) return shown(pointerOf(path), value);
  if (value instanceof Ref) return value.toJSON();
  if (Array.isArray(value)) return value.map((item, index) => maskedJson(item as SpecValue, shown, [...path, index]));
  if (!isSpecObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskedJson(item, shown, [...path, key])]));
}
