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
    const value = fields[name];
    const isGiven = Array.isArray(value) ? value.length > 0 : typeof value === 'string' && value !== '';
    return field === undefined || !isGiven ? undefined : canonicalKey(field, value as SpecValue);
  });
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join(' ');
}
