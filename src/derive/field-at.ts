import type { Field, Fields } from '../kinds/kind.ts';
import type { Path } from '../kinds/value.ts';

/** The field of a kind that a path leads to, so that a value can be shown as what it is. */
export function fieldAt(fields: Fields, path: Path): Field | undefined {
  return inGroup(fields, path, 0);
}

function inGroup(fields: Fields, path: Path, from: number): Field | undefined {
  const name = path[from];
  return name !== undefined && Object.hasOwn(fields, name) ? inField(fields[name], path, from + 1) : undefined;
}

function inField(field: Field | undefined, path: Path, from: number): Field | undefined {
  if (field === undefined || from >= path.length) return field;
  if (field.is === 'group') return inGroup(field.fields, path, from);
  return field.is === 'leaf' ? undefined : inField(field.of, path, from + 1);
}
