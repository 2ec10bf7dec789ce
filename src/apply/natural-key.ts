import { canonicalKey, unsetKey } from '../derive/canonical.ts';
import type { Kind } from '../kinds/kind.ts';
import type { SpecValue } from '../kinds/value.ts';

/** A key that identifies a resource without a marker among others of its kind: its unique fields, and the field by which duplicates are found. Undefined if the kind has no such field, or one is not set. */
export function naturalKey(kind: Kind, fields: Readonly<Record<string, unknown>>): string | undefined {
  const names = [
    ...kind.unique.map(({ field }) => field),
    ...(kind.duplicateBy === undefined ? [] : [kind.duplicateBy]),
  ];
  const parts = names.map((name) => {
    const field = kind.fields[name];
    return field === undefined ? unsetKey : canonicalKey(field, fields[name] as SpecValue | undefined);
  });
  return parts.length === 0 || parts.includes(unsetKey) ? undefined : parts.join(' ');
}
