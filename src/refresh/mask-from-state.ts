import { knownOf } from '../derive/known-spec.ts';
import { maskOutside } from '../derive/mask-outside.ts';
import type { KindSet } from '../kinds/kind-set.ts';
import type { Actual } from '../model/actual.ts';
import type { Entry, State } from '../model/state.ts';

/** Masks, in what the service shows, the fields of which state remembers that their values came from outside. */
export function maskFromState(seen: readonly Actual[], kinds: KindSet, state: State | undefined): readonly Actual[] {
  const entries = Object.entries(state?.entries ?? {});
  const byId = new Map(
    entries.flatMap(([, entry]) =>
      [entry.id, ...(entry.deposed ?? [])].map((id): [string, Entry] => [`${entry.kind} ${id}`, entry]),
    ),
  );
  const byAddress = new Map(entries);
  return seen.map((actual) => {
    const { kind: name, id, marker, spec } = actual;
    const entry = byId.get(`${name} ${id}`) ?? byAddress.get(marker?.a ?? '');
    const kind = kinds.named(name);
    if (entry === undefined || kind === undefined) return actual;
    return { ...actual, spec: knownOf(entry).reduce((masked, one) => maskOutside(kind.fields, masked, one), spec) };
  });
}
