import { isUnsetByEmptyText } from '../derive/empty-text.ts';
import type { Fields } from '../kinds/kind.ts';
import { isSpecObject, type SpecObject } from '../kinds/value.ts';

/** A body without the empty texts that mean a field is left out. */
export function withoutEmptyTexts(fields: Fields, body: SpecObject, partial: boolean): SpecObject {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (value === '' && field !== undefined && isUnsetByEmptyText(field, partial)) return [];
      const inner = field?.is === 'group' && isSpecObject(value);
      return [[name, inner ? withoutEmptyTexts(field.fields, value, false) : value]];
    }),
  );
}
