import type { SecretOrigin } from '../kinds/value.ts';

/** A text from a variable or file that a field of a resource once had, as its stretched digest. */
export type ExternalValue = SecretOrigin & {
  readonly kind: string;
  /** The field of the resource that has it, or has it inside. */
  readonly field: string;
  readonly secret: string;
};

// A value that changes day after day must not make state longer and longer.
const mostExternalValues = 1000;

/** Adds to the external values of a state those that it does not contain, and drops the oldest beyond a bound. */
export function addExternalValues(
  all: readonly ExternalValue[],
  added: readonly ExternalValue[],
): readonly ExternalValue[] {
  const known = new Set(all.map(keyOf));
  const found = added.filter((value) => {
    const key = keyOf(value);
    return !known.has(key) && known.add(key);
  });
  return found.length === 0 ? all : [...all, ...found].slice(-mostExternalValues);
}

function keyOf({ kind, field, secret }: ExternalValue): string {
  return `${kind} ${field} ${secret}`;
}
