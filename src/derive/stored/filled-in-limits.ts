import { namedFields } from '../../kinds/named-fields.ts';
import type { Field, Fields, Leaf } from '../../kinds/kind.ts';
import { isSpecObject, type Path, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { FilledIn } from '../../model/state.ts';
import { asText, isUnsetValue, semanticEquals } from '../canonical.ts';
import { pointerOf } from '../pointer.ts';
import { valueAt } from '../value-at.ts';

/**
 * Limits that requests left to the service, as the answer shows them. One that was applied before is left out: the service
 * may have kept it.
 */
export function filledInLimits(
  fields: Fields,
  sent: SpecObject,
  shown: SpecObject,
  before: SpecObject,
  path: Path = [],
): FilledIn {
  const found: Record<string, string | number> = {};
  for (const { name, field } of namedFields(fields)) {
    const [ours, theirs] = [sent[name] ?? null, shown[name] ?? null];
    const at = [...path, name];
    if (field.is === 'group' && isSpecObject(ours) && isSpecObject(theirs))
      Object.assign(found, filledInLimits(field.fields, ours, theirs, before, at));
    const isFilled = isLimit(field) && isLeftOut(field, ours) && !isUnsetValue(field, theirs);
    if (!isFilled || (typeof theirs !== 'string' && typeof theirs !== 'number')) continue;
    if (!semanticEquals(field, theirs, valueAt(before, at), asText)) found[pointerOf(at)] = theirs;
  }
  return found;
}

/** Whether a field is left to the service: not where a manifest writes out the usual number, which the service need not fill in. */
export function isLeftOut(leaf: Leaf, value: SpecValue | undefined): boolean {
  return isUnsetValue(leaf, value) && (value === undefined || value === null || value === '' || value === 0);
}

/** Whether a value is what the service has filled in where it was left out. */
export function isAsFilledIn(leaf: Leaf, value: SpecValue | undefined, filledIn: string | number | undefined): boolean {
  return filledIn !== undefined && semanticEquals(leaf, value, filledIn, asText);
}

/** A number or a minimum, whose default is that of the service. */
function isLimit(field: Field): field is Leaf {
  return field.is === 'leaf' && (typeof field.default === 'number' || field.widensWhen === 'lowered');
}
