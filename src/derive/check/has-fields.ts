import type { Field, Fields } from '../../kinds/kind.ts';
import { isSpecObject, Secret, type SpecObject, type SpecValue } from '../../kinds/value.ts';

/** Whether a spec has only the fields of a kind, each with a value of its type. It may lack some of them. */
export function hasFields(fields: Fields, spec: SpecObject): boolean {
  return Object.entries(spec).every(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field !== undefined && isOfType(field, value);
  });
}

function isOfType(field: Field, value: SpecValue): boolean {
  if (value === null) return true;
  if (field.is === 'leaf') return value instanceof Secret || ['string', 'number', 'boolean'].includes(typeof value);
  if (field.is === 'list') return Array.isArray(value) && value.every((item: SpecValue) => isOfType(field.of, item));
  if (!isSpecObject(value)) return false;
  if (field.is === 'group') return hasFields(field.fields, value);
  return Object.values(value).every((item) => isOfType(field.of, item));
}
