import { isSpecObject, type Path, type SpecValue } from './value.ts';

/** Every leaf of a value (what has no parts: a text, a number, a reference, a secret), with its place inside it. */
export function leavesOf(
  value: SpecValue,
  path: Path = [],
): readonly { readonly value: SpecValue; readonly path: Path }[] {
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
  let changed: Record<string, SpecValue> | undefined;
  for (const name in value) {
    const given = value[name] ?? null;
    const item = withLeaves(given, replace, [...path, name]);
    if (item !== given) (changed ??= { ...value })[name] = item;
  }
  return changed ?? value;
}

/** Whether something is true of a value or of any value inside it. Makes no lists, and asks about no plain leaf: specs are asked again and again. */
export function someInside(value: unknown, isTrue: (value: object) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isTrue(value)) return true;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[])
      if (typeof item === 'object' && someInside(item, isTrue)) return true;
    return false;
  }
  for (const name in value) {
    const item = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof item === 'object' && someInside(item, isTrue)) return true;
  }
  return false;
}
