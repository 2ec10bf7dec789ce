import { isSpecObject, type SpecValue } from '../../kinds/value.ts';

/** A value without the keys that are null; itself where none is. */
export function withoutNulls<T extends SpecValue>(value: T): T {
  if (!hasNulls(value)) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item as SpecValue)) as unknown as T;
  if (!isSpecObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === null ? [] : [[key, withoutNulls(item)]])),
  ) as T;
}

function hasNulls(value: SpecValue): boolean {
  if (Array.isArray(value)) return value.some((item) => hasNulls(item as SpecValue));
  return isSpecObject(value) && Object.values(value).some((item) => item === null || hasNulls(item));
}
