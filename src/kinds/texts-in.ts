import type { Kind, Leaf } from './kind.ts';
import type { Path, SpecObject, SpecValue } from './value.ts';

/** A text of a spec, with the field that describes it. */
interface TextOfField {
  readonly leaf: Leaf;
  readonly path: Path;
  readonly text: string;
}

/** The texts in a field that has one or several, without empty ones and values that are no texts. */
export function textsIn({ fields }: Pick<Kind, 'fields'>, name: string, spec: SpecObject): readonly TextOfField[] {
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
