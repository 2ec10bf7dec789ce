import type { Fields } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import type { Entry } from '../../model/state.ts';
import { knownOf } from '../stored/known-spec.ts';
import { maskOutside } from './mask-outside.ts';

/** The actual fields of a resource, masked wherever its entry in state, if it has one, remembers a value from outside. */
export function maskRecorded(fields: Fields, actual: SpecObject, entry: Entry | undefined): SpecObject {
  if (entry === undefined) return actual;
  return knownOf(entry).reduce<SpecObject>((masked, known) => maskOutside(fields, masked, known), actual);
}
