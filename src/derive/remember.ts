import { isSpecObject, Ref, Secret, type SpecObject, type SpecValue } from '../kinds/value.ts';
import type { RememberedObject, RememberedValue } from '../model/state.ts';

/** A spec as state keeps it: refs as ids, secrets as digests, unset fields left out. */
export function remember(spec: SpecObject, digest: (text: string) => string): RememberedObject {
  const set = Object.entries(spec).filter(([, value]) => value !== null);
  return Object.fromEntries(set.map(([key, value]) => [key, rememberValue(value, digest)]));
}

function rememberValue(value: SpecValue, digest: (text: string) => string): RememberedValue {
  if (value instanceof Secret) return { secret: digest(value.reveal()) };
  if (value instanceof Ref) return value.toJSON();
  if (Array.isArray(value)) return value.map((item) => rememberValue(item as SpecValue, digest));
  return isSpecObject(value) ? remember(value, digest) : (value as RememberedValue);
}
