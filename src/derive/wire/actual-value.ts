import type { Kind } from '../../kinds/kind.ts';
import type { Actual } from '../../model/actual.ts';
import { Secret, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import { valueAt } from '../value-at.ts';

/** The text that a resource has in a field, with dots between the names of groups; undefined where it has none. */
export function actualValue({ id, spec, computed }: Actual, field: string): SpecValue | undefined {
  if (field === 'id') return id;
  const path = field.split('.');
  const value = valueAt(computed, path) ?? valueAt(spec, path);
  return value instanceof Secret || (typeof value === 'string' && value !== '') ? value : undefined;
}

/** The content of the file that holds what was issued; undefined where nothing was. */
export function issuedText({ renewal }: Kind, computed: SpecObject | undefined): string | undefined {
  const issued = renewal === undefined ? undefined : computed?.[renewal.file.field];
  return typeof issued === 'string' && issued.trim() !== '' ? `${issued.trim()}\n` : undefined;
}
