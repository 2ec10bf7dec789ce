import { isSpecObject, OutsideValue, Ref, type SpecObject, type SpecValue } from './value.ts';

const mostNamed = 3;

/** The entries of some sets in words, in alphabetical order, a few by name; empty where there are none. */
export function entriesInWords(module: SpecObject, names: readonly string[]): string {
  const all = names.flatMap((name) => entriesOf(module[name])).sort();
  const more = all.length - mostNamed;
  const named = all.slice(0, mostNamed).join(', ');
  return more > 0 ? `${named} and ${String(more)} more` : named;
}

/** A text in words, where it may be shown. */
export function textInWords(value: SpecValue | undefined): string {
  if (value instanceof Ref) return value.to;
  if (typeof value === 'string') return value;
  if (value instanceof OutsideValue) return value.toString();
  return isSpecObject(value) ? '(value from the environment or a file)' : '';
}

function entriesOf(value: SpecValue | undefined): string[] {
  return Array.isArray(value) ? value.map((item) => textInWords(item as SpecValue)) : [];
}
