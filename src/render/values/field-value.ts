import { canonicalKey } from '../../derive/canonical.ts';
import type { Field, FieldFormat } from '../../kinds/kind.ts';
import type { SpecValue } from '../../kinds/value.ts';
import { valueText } from './value-text.ts';

/** The value of a field on one line; a set in an order that does not depend on how it was written. Empty text is no value where it means that. */
export function fieldValueText(value: SpecValue | undefined, field: Field | undefined): string {
  const format = formatOf(field);
  if (value === '' && field?.is === 'leaf' && field.default === '') return valueText(undefined, format);
  if (field?.is !== 'list' || field.order !== 'set' || !Array.isArray(value)) return valueText(value, format);
  const items = value as readonly SpecValue[];
  return valueText(
    items.toSorted((a, b) => (canonicalKey(field.of, a) < canonicalKey(field.of, b) ? -1 : 1)),
    format,
  );
}

function formatOf(field: Field | undefined): FieldFormat | undefined {
  return field?.is === 'leaf' ? field.format : field?.is === 'list' ? formatOf(field.of) : undefined;
}
