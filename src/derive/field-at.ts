import type { Field, Fields } from '../kinds/kind.ts';
import type { Path } from '../kinds/value.ts';

/** The field of a kind that a path leads to, so that a value can be shown as what it is. */
export function fieldAt(fields: Fields, [name = '', ...rest]: Path): Field | undefined {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field && inField(field, rest);
}

function inField(field: Field, path: Path): Field | undefined {
  if (path.length === 0) return field;
  if (field.is === 'group') return fieldAt(field.fields, path);
  return field.is === 'leaf' ? undefined : inField(field.of, path.slice(1));
}

/** The fields within a group, or within a list of groups. */
export function fieldsIn(field: Field | undefined): Fields {
  if (field?.is === 'group') return field.fields;
  return field?.is === 'list' ? fieldsIn(field.of) : {};
}
