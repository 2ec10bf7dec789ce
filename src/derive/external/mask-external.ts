import type { Field, Kind } from '../../kinds/kind.ts';
import { withLeaves } from '../../kinds/leaves.ts';
import { OutsideValue, type SecretOrigin, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { ExternalValue } from '../../model/external-values.ts';
import type { StateObject } from '../../model/state.ts';
import { normalize, semanticEquals } from '../canonical.ts';
import { fieldAt } from '../field-at.ts';

/** Masks texts that equal a value from outside; `known` is what state remembers of the resource. */
export type MaskExternal = (kind: Kind, actual: SpecObject, known: StateObject | undefined) => SpecObject;

/**
 * Makes a mask for texts that equal a value which state remembers to come from outside, whole and in the same field of
 * the same kind, whichever resource has them. A digest takes milliseconds, so what equals the remembered spec, where
 * plain text is known to be plain, is not digested.
 */
export function maskExternal(values: readonly ExternalValue[], digest: (text: string) => string): MaskExternal {
  const origins = new Map<string, Map<string, SecretOrigin>>();
  for (const { kind, field, secret, ...origin } of values) {
    const place = `${kind} ${field}`;
    const there = origins.get(place) ?? new Map<string, SecretOrigin>();
    origins.set(place, there.set(secret, origin));
  }
  return ({ name: kind, fields }, actual, known) => {
    if (origins.size === 0) return actual;
    const masked = Object.entries(actual).map(([name, value]): [string, SpecValue] => {
      const there = origins.get(`${kind} ${name}`);
      const field = there === undefined ? undefined : fields[name];
      if (there === undefined || field === undefined) return [name, value];
      const isKnown = known?.[name] !== undefined && semanticEquals(field, value, known[name], digest);
      if (isKnown) return [name, value];
      const originOf = (text: string): SecretOrigin | undefined => there.get(digest(text));
      return [name, withLeaves(value, (leaf, path) => maskEqual(fieldAt(fields, [name, ...path]), leaf, originOf))];
    });
    return Object.fromEntries(masked);
  };
}

function maskEqual(
  field: Field | undefined,
  value: SpecValue,
  originOf: (text: string) => SecretOrigin | undefined,
): SpecValue {
  if (field?.is !== 'leaf' || typeof value !== 'string' || value === '') return value;
  const origin = originOf(String(normalize(field, value)));
  return origin === undefined ? value : new OutsideValue(value, origin);
}
