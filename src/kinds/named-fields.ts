import type { Field, Fields } from './kind.ts';

/** A field of a kind or group, with its name. */
export interface NamedField {
  readonly name: string;
  readonly field: Field;
}

// Every resource is asked for them.
const known = new WeakMap<Fields, readonly NamedField[]>();

/** The fields of a kind or group with their names, listed once. */
export function namedFields(fields: Fields): readonly NamedField[] {
  const found = known.get(fields) ?? Object.entries(fields).map(([name, field]) => ({ name, field }));
  known.set(fields, found);
  return found;
}

/** The fields of a kind or group of which something is true, with their names, listed once. */
export function namedFieldsWhere(isTrue: (field: Field) => boolean): (fields: Fields) => readonly NamedField[] {
  const chosen = new WeakMap<Fields, readonly NamedField[]>();
  return (fields) => {
    const found = chosen.get(fields) ?? namedFields(fields).filter(({ field }) => isTrue(field));
    chosen.set(fields, found);
    return found;
  };
}
