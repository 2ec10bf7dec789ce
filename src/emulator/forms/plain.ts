import type { SpecValue } from '../../kinds/value.ts';

/** A value as a list; anything that is none is empty. */
export function listOf(value: SpecValue | undefined): readonly SpecValue[] {
  return Array.isArray(value) ? (value as readonly SpecValue[]) : [];
}

/** The texts of a list. */
export function textsOf(value: SpecValue | undefined): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string');
}
