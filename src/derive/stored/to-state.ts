import type { Field, Fields } from '../../kinds/kind.ts';
import { isSpecObject, OutsideValue, Ref, Secret, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { StateObject, StateValue } from '../../model/state.ts';
import { normalize } from '../canonical.ts';

/** A spec as state keeps it: refs as ids, secrets as digests, values from outside as digests with their origin, unset fields left out. */
export function toState(fields: Fields, spec: SpecObject, digest: (text: string) => string): StateObject {
  return groupToState((name) => fields[name], spec, digest);
}

type FieldNamed = (name: string) => Field | undefined;

function groupToState(fieldNamed: FieldNamed, spec: SpecObject, digest: (text: string) => string): StateObject {
  const set = Object.entries(spec).filter(([, value]) => value !== null);
  return Object.fromEntries(set.map(([name, value]) => [name, valueToState(fieldNamed(name), value, digest)]));
}

function valueToState(field: Field | undefined, value: SpecValue, digest: (text: string) => string): StateValue {
  if (value instanceof OutsideValue) {
    // The spelling by which values are compared, since a digest can be compared in no other.
    const text = field?.is === 'leaf' ? String(normalize(field, value.reveal())) : value.reveal();
    return { secret: digest(text), ...(value.origin ?? { from_env: '' }) };
  }
  if (value instanceof Secret) return { secret: digest(value.reveal()) };
  if (value instanceof Ref) return value.toJSON();
  const of = field?.is === 'list' || field?.is === 'dict' ? field.of : undefined;
  if (Array.isArray(value)) return value.map((item) => valueToState(of, item as SpecValue, digest));
  if (!isSpecObject(value)) return value as StateValue;
  return groupToState((name) => (field?.is === 'group' ? field.fields[name] : of), value, digest);
}
