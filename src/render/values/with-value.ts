import { isSpecObject, type Path, type SpecObject, type SpecValue } from '../../kinds/value.ts';

/** A spec in which one field has another value; undefined takes it away. */
export function withValue(spec: SpecObject, [name, ...rest]: Path, value: SpecValue | undefined): SpecObject {
  const key = String(name);
  const inner = Object.hasOwn(spec, key) ? spec[key] : undefined;
  const next = rest.length === 0 ? value : withValue(isSpecObject(inner) ? inner : {}, rest, value);
  const others = Object.entries(spec).filter(([other]) => other !== key);
  return Object.fromEntries(next === undefined ? others : [...others, [key, next]]);
}
