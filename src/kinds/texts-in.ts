import type { Kind } from './kind.ts';
import type { SpecObject, SpecValue } from './value.ts';

/** The texts in a field that has one or several, each with the leaf that describes it; without empty ones and values that are no texts. */
export function textsIn({ fields }: Pick<Kind, 'fields'>, name: string, spec: SpecObject) {
  const field = fields[name];
  const leaf = field?.is === 'list' ? field.of : field;
  if (leaf?.is !== 'leaf') return [];
  const value: SpecValue = spec[name] ?? null;
  const items: readonly SpecValue[] = Array.isArray(value) ? value : [value];
  return items.flatMap((text, index) =>
    typeof text === 'string' && text !== ''
      ? [{ leaf, path: Array.isArray(value) ? [name, index] : [name], text }]
      : [],
  );
}
