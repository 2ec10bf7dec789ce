import { canonicalKey } from '../derive/canonical.ts';
import type { Kind } from '../kinds/kind.ts';
import type { SpecValue } from '../kinds/value.ts';

/** What tells a resource without a marker from others of its kind: what only one may have, or what nobody would make twice. */
export function naturalKey(kind: Kind, fields: Readonly<Record<string, unknown>>): string | undefined {
  const names = [
    ...kind.unique.map(({ field }) => field),
    ...(kind.duplicateBy === undefined ? [] : [kind.duplicateBy]),
  ];
  const parts = names.map((name) => {
    const field = kind.fields[name];
    return field === undefined ? unset : canonicalKey(field, fields[name] as SpecValue | undefined);
  });
  return parts.length === 0 || parts.includes(unset) ? undefined : parts.join(' ');
}

/** The key of a value that is not there, or is empty. */
const unset = 'null';
