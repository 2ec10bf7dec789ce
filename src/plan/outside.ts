import { maskOutside } from '../derive/external/mask-outside.ts';
import { maskRecorded } from '../derive/external/mask-recorded.ts';
import type { Address } from '../model/address.ts';
import type { SpecObject } from '../kinds/value.ts';
import type { Match } from './input.ts';

/** A pair whose actual fields are masked where the manifest, or state, has a value from outside. */
export function withOutsideMasked(pair: Match, desiredAt: (address: Address) => SpecObject | undefined): Match {
  const { actual, kind, entry, desired } = pair;
  if (actual === undefined) return pair;
  // A duplicate of a resource holds what the resource does.
  const wanted = desired?.spec ?? desiredAt(actual.marker?.a ?? '');
  const asWanted = wanted === undefined ? actual.spec : maskOutside(kind.fields, actual.spec, wanted);
  const spec = maskRecorded(kind.fields, asWanted, entry);
  return spec === actual.spec ? pair : { ...pair, actual: { ...actual, spec } };
}
