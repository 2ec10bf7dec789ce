import { someInside } from '../../kinds/leaves.ts';
import { OutsideValue, type SecretOrigin, type SpecValue } from '../../kinds/value.ts';
import type { ExternalValue } from '../../model/external-values.ts';
import type { StateObject, StateValue } from '../../model/state.ts';
import { originInState } from '../stored/from-state.ts';

/** The external values in a spec as state keeps it. */
export function externalValuesIn(kind: string, spec: StateObject): ExternalValue[] {
  return Object.entries(spec).flatMap(([field, value]) =>
    digestsIn(value).map((found): ExternalValue => ({ kind, field, ...found })),
  );
}

function digestsIn(value: StateValue): (SecretOrigin & { readonly secret: string })[] {
  if (typeof value !== 'object' || value === null) return [];
  const origin = originInState(value);
  if (origin !== undefined) return [{ secret: (value as StateObject)['secret'] as string, ...origin }];
  return Object.values(value).flatMap((item: StateValue) => digestsIn(item));
}

/** Whether a value, or anything in it, came from outside and is masked. */
export function holdsOutside(given: SpecValue): boolean {
  return someInside(given, (value) => value instanceof OutsideValue);
}
