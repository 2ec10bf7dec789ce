import { semanticEquals } from '../derive/canonical.ts';
import { knownOf } from '../derive/known-spec.ts';
import { maskOutside } from '../derive/mask-outside.ts';
import type { Fields } from '../kinds/kind.ts';
import type { KindSet } from '../kinds/kind-set.ts';
import type { Actual } from '../model/actual.ts';
import type { Entry, State, StateObject } from '../model/state.ts';
import { createDigester } from '../state/digest.ts';

/**
 * Masks, in what the service shows, the fields of which state remembers that their values came from outside. What a
 * creation made whose end is not known has no entry: it is recognised by its marker or, without one, by equal values.
 */
export function maskFromState(seen: readonly Actual[], kinds: KindSet, state: State | undefined): readonly Actual[] {
  const entries = Object.entries(state?.entries ?? {});
  const byId = new Map(
    entries.flatMap(([, entry]) =>
      [entry.id, ...(entry.deposed ?? [])].map((id): [string, Entry] => [`${entry.kind} ${id}`, entry]),
    ),
  );
  const byAddress = new Map(entries);
  const digest = createDigester(state?.salt ?? '');
  return seen.map((actual) => {
    const { kind: name, id, marker } = actual;
    const entry = byId.get(`${name} ${id}`) ?? byAddress.get(marker?.a ?? '');
    const kind = kinds.named(name);
    if (kind === undefined) return actual;
    const known = [...(entry === undefined ? [] : knownOf(entry)), ...intendedFor(actual, kind.fields)];
    return { ...actual, spec: known.reduce((masked, one) => maskOutside(kind.fields, masked, one), actual.spec) };
  });

  function intendedFor({ kind, marker, spec }: Actual, fields: Fields): StateObject[] {
    return Object.entries(state?.intents ?? {}).flatMap(([address, intent]) => {
      if (intent.kind !== kind || intent.spec === undefined) return [];
      if (marker !== undefined) return marker.a === address || intent.nonces.includes(marker.n) ? [intent.spec] : [];
      const masked = maskOutside(fields, spec, intent.spec);
      const equal = Object.entries(intent.spec).filter(([name, value]) => {
        const field = fields[name];
        return field !== undefined && masked[name] !== spec[name] && semanticEquals(field, masked[name], value, digest);
      });
      return [Object.fromEntries(equal)];
    });
  }
}
