import type { Field, Fields } from '../kinds/kind.ts';
import type { Path } from '../kinds/value.ts';

/** The field of a kind that a path leads to, so that a value can be shown as what it is. */
export function fieldAt(fields: Fields, path: Path): Field | undefined {
  const [name, ...rest] = path;
  if (name === undefined || !Object.hasOwn(fields, name)) return undefined;
  return step(fields[name], rest);
}

function step(field: Field | undefined, rest: Path): Field | undefined {
  if (field === undefined || rest.length === 0) return field;
  if (field.is === 'group') return fieldAt(field.fields, rest);
  return field.is === 'leaf' ? undefined : step(field.of, rest.slice(1));
}
