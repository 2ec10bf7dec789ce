import { isSpecObject, type Path, type SpecObject, type SpecValue } from '../kinds/value.ts';

/** The value at a path of a spec; undefined where nothing is. */
export function valueAt(spec: SpecValue | undefined, path: Path): SpecValue | undefined {
  return path.reduce<SpecValue | undefined>((value, step) => {
    if (Array.isArray(value)) return (value as readonly SpecValue[])[Number(step)];
    return isSpecObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }, spec);
}

/** A spec with another value at a path that it has. */
export function withValueAt<T extends SpecValue>(spec: T, path: Path, value: SpecValue): T {
  const [step, ...rest] = path;
  if (step === undefined) return value as T;
  if (Array.isArray(spec))
    return spec.map((item: SpecValue, index) =>
      index === step ? withValueAt(item, rest, value) : item,
    ) as unknown as T;
  if (!isSpecObject(spec)) return spec;
  const group: SpecObject = spec;
  return { ...group, [step]: withValueAt(group[step] ?? null, rest, value) } as unknown as T;
}
