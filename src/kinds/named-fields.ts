import type { Field, Fields } from './kind.ts';
import { oncePer } from './once-per.ts';

/** A field of a kind or group, with its name. */
export interface NamedField {
  readonly name: string;
  readonly field: Field;
}

/** The fields of a kind or group with their names, listed once: every resource is asked for them. */
export const namedFields = oncePer(new WeakMap<Fields, readonly NamedField[]>(), (fields) =>
  Object.entries(fields).map(([name, field]) => ({ name, field })),
);

/** The fields of a kind or group of which something is true, with their names, listed once. */
export function namedFieldsWhere(isTrue: (field: Field) => boolean): (fields: Fields) => readonly NamedField[] {
  return oncePer(new WeakMap<Fields, readonly NamedField[]>(), (fields) =>
    namedFields(fields).filter(({ field }) => isTrue(field)),
  );
}
