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
