import type { Field } from '../../kinds/kind.ts';

/**
 * Whether "" in a body means that the field is left out. Typed clients send a field that nobody set as "": where only
 * certain words, times or forms are valid, or where "" reads back for unset, it is the same as leaving it out. In part
 * (PATCH) that is so for required fields too.
 */
export function isUnsetByEmptyText(field: Field, partial: boolean): boolean {
  if (field.is !== 'leaf' || field.lifecycle === 'computed' || field.ref !== undefined) return false;
  if (field.required !== undefined && !partial) return false;
  if (field.alsoUnset?.includes('') === true) return true;
  const verdict = field.schema.safeParse('');
  // What takes no text at all is not left out by one: it has the wrong type.
  if (!verdict.success) return verdict.error.issues[0]?.code !== 'invalid_type';
  return field.checks.some(({ test }) => test('') !== undefined);
}
