import { maskOutside } from '../derive/external/mask-outside.ts';
import { knownOf } from '../derive/stored/known-spec.ts';
import type { Address } from '../model/address.ts';
import type { SpecObject } from '../kinds/value.ts';
import type { StateObject } from '../model/state.ts';
import type { Match } from './input.ts';

/** A pair whose actual fields are masked where the manifest, or state, has a value from outside. */
export function withOutsideMasked(pair: Match, desiredAt: (address: Address) => SpecObject | undefined): Match {
  const { actual, kind, entry, desired } = pair;
  if (actual === undefined) return pair;
  // A duplicate of a resource holds what the resource does.
  const wanted = desired?.spec ?? desiredAt(actual.marker?.a ?? '');
  const mask = (spec: SpecObject, known: SpecObject | StateObject): SpecObject => maskOutside(kind.fields, spec, known);
  const asWanted = wanted === undefined ? actual.spec : mask(actual.spec, wanted);
  const spec = entry === undefined ? asWanted : knownOf(entry).reduce(mask, asWanted);
  return spec === actual.spec ? pair : { ...pair, actual: { ...actual, spec } };
}
