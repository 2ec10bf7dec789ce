import { canonicalKey } from '../../derive/canonical.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { Field, FieldFormat, List } from '../../kinds/kind.ts';
import { inNaturalOrder } from '../../model/natural-order.ts';
import type { SpecValue } from '../../kinds/value.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { valueText } from './value-text.ts';

/** What people call an id: the address of the resource, by id. */
export type IdNames = ReadonlyMap<string, string>;

const noNames: IdNames = new Map();

/** The names of all ids that a plan knows: its own resources, and those that manifests name. */
export function idNames({ changes, externals = {} }: Plan): IdNames {
  const names = new Map(Object.entries(externals));
  for (const { id, address } of changes) if (id !== undefined) names.set(id, address);
  return names;
}

/** The value of a field on one line; a set in an order that does not depend on how it was written. Empty text is no value where it means that. */
export function fieldValueText(value: SpecValue | undefined, field: Field | undefined, names = noNames): string {
  if (field !== undefined && names.size > 0 && isReference(field)) return withNames(value, field, names);
  const format = formatOf(field);
  if (value === '' && field?.is === 'leaf' && field.default === '') return valueText(undefined, format);
  if (field?.is !== 'list' || field.order !== 'set' || !Array.isArray(value)) return valueText(value, format);
  return valueText(inOrder(value as readonly SpecValue[], field), format);
}

function withNames(value: SpecValue | undefined, field: Field, names: IdNames): string {
  if (Array.isArray(value) && field.is === 'list')
    return `[${inOrder(value as readonly SpecValue[], field)
      .map((item) => withNames(item, field.of, names))
      .join(', ')}]`;
  const name = typeof value === 'string' ? names.get(value) : undefined;
  return name === undefined ? fieldValueText(value, field) : `${safeText(name)} (${fieldValueText(value, field)})`;
}

function isReference(field: Field): boolean {
  return field.is === 'leaf' ? field.ref !== undefined : field.is === 'list' && isReference(field.of);
}

function inOrder(items: readonly SpecValue[], { of }: List): readonly SpecValue[] {
  return items.toSorted((a, b) => inNaturalOrder(canonicalKey(of, a), canonicalKey(of, b)));
}

function formatOf(field: Field | undefined): FieldFormat | undefined {
  return field?.is === 'leaf' ? field.format : field?.is === 'list' ? formatOf(field.of) : undefined;
}
