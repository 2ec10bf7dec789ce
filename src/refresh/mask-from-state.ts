import { maskExternal } from '../derive/external/mask-external.ts';
import { maskOutside, maskRecorded, remembersOutside } from '../derive/external/mask-outside.ts';
import type { KindSet } from '../kinds/kind.ts';
import type { Actual } from '../model/actual.ts';
import { ByInstance } from '../model/by-instance.ts';
import { emptyList } from '../model/empty.ts';
import { mapSliced, someSliced, type Sliced } from '../model/sliced.ts';
import type { Entry, State, StateObject } from '../model/state.ts';
import { createDigester } from '../state/digest.ts';

/**
 * Masks external values, as far as state has recorded them, in resources that the service returns. A resource without an
 * entry may come from a creation whose outcome is unknown: its marker then leads to the intent. In addition, any text
 * that equals an external value which was sent is masked, whatever the resource.
 */
export function* maskFromState(
  seen: readonly Actual[],
  kinds: KindSet,
  state: State | undefined,
): Sliced<readonly Actual[]> {
  const { entries = {}, externalValues = [], salt = '' } = state ?? {};
  const intents = Object.entries(state?.intents ?? {});
  const recorded = Object.values(entries);
  // Most stacks have none.
  if (externalValues.length === 0 && intents.length === 0 && !(yield* someSliced(recorded, remembersOutside)))
    return seen;
  const byId = new ByInstance<Entry>();
  for (const entry of recorded) {
    byId.set(entry.kind, entry.id, entry);
    for (const old of entry.deposed ?? emptyList) byId.set(entry.kind, old, entry);
  }
  const maskEqual = maskExternal(externalValues, createDigester(salt));
  return yield* mapSliced(seen, (actual) => {
    const { kind: name, id, marker } = actual;
    const marked = marker !== undefined && Object.hasOwn(entries, marker.a) ? entries[marker.a] : undefined;
    const entry = byId.get(name, id) ?? marked;
    const kind = kinds.named(name);
    if (kind === undefined) return actual;
    const asRecorded = maskRecorded(kind.fields, actual.spec, entry);
    const masked = intendedFor(actual).reduce((spec, known) => maskOutside(kind.fields, spec, known), asRecorded);
    const spec = maskEqual(kind, masked, entry?.spec);
    return spec === actual.spec ? actual : { ...actual, spec };
  });

  function intendedFor({ kind, marker }: Actual): readonly StateObject[] {
    if (marker === undefined || intents.length === 0) return [];
    return intents.flatMap(([address, intent]) => {
      const isOf = intent.kind === kind && (marker.a === address || intent.nonces.includes(marker.n));
      return isOf && intent.spec !== undefined ? [intent.spec] : [];
    });
  }
}
