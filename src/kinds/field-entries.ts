import type { Field, Fields } from './kind.ts';

type Entries = readonly (readonly [string, Field])[];

// Every resource is asked for them.
const known = new WeakMap<Fields, Entries>();

/** The fields of a kind or group with their names, listed once. */
export function fieldEntries(fields: Fields): Entries {
  const found = known.get(fields) ?? Object.entries(fields);
  known.set(fields, found);
  return found;
}

/** The fields of a kind or group of which something is true, with their names, listed once. */
export function entriesWhere(isTrue: (field: Field) => boolean): (fields: Fields) => Entries {
  const chosen = new WeakMap<Fields, Entries>();
  return (fields) => {
    const found = chosen.get(fields) ?? fieldEntries(fields).filter(([, field]) => isTrue(field));
    chosen.set(fields, found);
    return found;
  };
}
