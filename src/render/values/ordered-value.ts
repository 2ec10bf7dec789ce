import { canonicalKey } from '../../derive/canonical.ts';
import { sortedJson } from '../../derive/sorted-json.ts';
import { jsonObject } from '../../derive/marker.ts';
import type { Field, Fields } from '../../kinds/kind.ts';
import { isSpecObject, type SpecObject, type SpecValue } from '../../kinds/value.ts';

/** A spec in one order, however it was written or read: fields as the kind has them, free keys and sets sorted (law 8). */
export function orderedSpec(spec: SpecObject, fields: Fields): SpecObject {
  const entries = inFieldOrder(Object.entries(spec), Object.keys(fields));
  return Object.fromEntries(entries.map(([name, value]) => [name, orderedValue(value, fields[name])]));
}

/** Entries in the order of their fields; free keys by the alphabet. How a manifest was written makes no difference (law 8). */
export function inFieldOrder(entries: readonly [string, SpecValue][], order: readonly string[]): [string, SpecValue][] {
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return entries.toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function orderedValue(value: SpecValue, field: Field | undefined): SpecValue {
  if (isSpecObject(value)) return orderedSpec(value, field?.is === 'group' ? field.fields : {});
  if (field?.is === 'list' && Array.isArray(value)) {
    const items = (value as readonly SpecValue[]).map((item) => orderedValue(item, field.of));
    return field.order === 'set'
      ? items.sort((a, b) => (canonicalKey(field.of, a) < canonicalKey(field.of, b) ? -1 : 1))
      : items;
  }
  const object =
    field?.is === 'leaf' && field.compare === 'json' && typeof value === 'string' ? jsonObject(value) : undefined;
  return object === undefined ? value : sortedJson(object);
}
