import type { Field, Fields } from '../kinds/kind.ts';
import { isSpecObject, type SpecObject } from '../kinds/value.ts';

/**
 * A body without the empty texts that say nothing. Typed clients send a field that nobody set as "": where only certain
 * words, times or forms can stand, or where "" reads back for unset, that is the same as leaving it out. In part (PATCH)
 * that holds for required fields too.
 */
export function withoutEmptyTexts(fields: Fields, body: SpecObject, partial: boolean): SpecObject {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (value === '' && field !== undefined && saysNothing(field, partial)) return [];
      const inner = field?.is === 'group' && isSpecObject(value);
      return [[name, inner ? withoutEmptyTexts(field.fields, value, false) : value]];
    }),
  );
}

function saysNothing(field: Field, partial: boolean): boolean {
  if (field.is !== 'leaf' || field.lifecycle === 'computed' || field.ref !== undefined) return false;
  if (field.required !== undefined && !partial) return false;
  if (field.alsoUnset?.includes('') === true) return true;
  const verdict = field.schema.safeParse('');
  // What takes no text at all is not left out by one: it has the wrong type.
  if (!verdict.success) return verdict.error.issues[0]?.code !== 'invalid_type';
  return field.checks.some(({ test }) => test('') !== undefined);
}
