import { isSpecObject, type Path, type SpecValue } from './value.ts';

// A value inside another that has no parts: a text, a number, a reference, a secret.
interface Leaf {
  readonly value: SpecValue;
  readonly path: Path;
}

/** Every leaf of a value, with its place inside it. */
export function leavesOf(value: SpecValue, path: Path = []): readonly Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item: SpecValue, index) => leavesOf(item, [...path, index]));
  if (!isSpecObject(value)) return [{ value, path }];
  return Object.entries(value).flatMap(([name, item]) => leavesOf(item, [...path, name]));
}

/** A value with its leaves replaced. Parts in which no leaf changes are not copied: callers may compare by identity. */
export function withLeaves(
  value: SpecValue,
  replace: (leaf: SpecValue, path: Path) => SpecValue,
  path: Path = [],
): SpecValue {
  if (Array.isArray(value)) {
    const given: readonly SpecValue[] = value;
    const items = given.map((item, index) => withLeaves(item, replace, [...path, index]));
    return items.some((item, index) => item !== given[index]) ? items : given;
  }
  if (!isSpecObject(value)) return replace(value, path);
  const fields = Object.entries(value).map(
    ([name, item]) => [name, withLeaves(item, replace, [...path, name])] as const,
  );
  return fields.some(([name, item]) => item !== value[name]) ? Object.fromEntries(fields) : value;
}
