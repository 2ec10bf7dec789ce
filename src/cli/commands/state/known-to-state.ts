import { offers } from '../../../derive/wire/operations.ts';
import { kinds } from '../../../kinds/index.ts';
import type { Profile } from '../../../kinds/kind.ts';
import type { Account, Actual } from '../../../model/actual.ts';
import type { Address } from '../../../model/address.ts';
import type { Entry, State } from '../../../model/state.ts';

/** The part of a state that no marker tells, to look at the account with: resources whose markers are never updated, unfinished creations, adoptions and replacements, and what was released with its marker. */
export function knownToStateAlone(state: State, profile: Profile): State {
  const isKnown = ([address, { kind: name, adopting, deposed, formerNonces }]: [Address, Entry]): boolean => {
    const kind = kinds.named(name);
    const isUnfinished = [adopting, deposed, formerNonces, state.intents?.[address]].some((one) => one !== undefined);
    return kind !== undefined && (isUnfinished || !offers(kind, profile).update);
  };
  return { ...state, entries: Object.fromEntries(Object.entries(state.entries).filter(isKnown)) };
}

/** The ids of old instances that exist, of an address and of the address where the state until now has its resource. */
export function oldInstancesOf(
  [address, current]: readonly [Address, Pick<Actual, 'kind' | 'id'>],
  { deposed = [] }: Account,
  state: State | undefined,
): readonly string[] {
  const isCurrent = (entry: Entry | undefined): boolean => entry !== undefined && keyOf(entry) === keyOf(current);
  return deposed.flatMap(({ address: of, actual: { kind, id } }) =>
    kind === current.kind && (of === address || isCurrent(state?.entries[of])) ? [id] : [],
  );
}

/** The entries of a state that alone tell of old instances: their own resources were not found at any address. */
export function entriesOfOldInstances(
  state: State | undefined,
  account: Account,
  found: readonly (readonly [Address, Actual])[],
): State['entries'] {
  const known = new Set(found.map(([, actual]) => keyOf(actual)));
  return Object.fromEntries(
    Object.entries(state?.entries ?? {}).filter(
      ([address, entry]) => !known.has(keyOf(entry)) && oldInstancesOf([address, entry], account, state).length > 0,
    ),
  );
}

/** The entries of resources that carry no marker and still exist. */
export function entriesWithoutMarker({ entries }: State, { ours, foreign }: Account): State['entries'] {
  const unmarked = new Set([...ours.values(), ...foreign].filter(({ marker }) => marker === undefined).map(keyOf));
  return Object.fromEntries(Object.entries(entries).filter(([, entry]) => unmarked.has(keyOf(entry))));
}

/** A state without a record that the resources of its entries were released. */
export function withoutReleased({ forgotten, ...state }: State): State {
  if (forgotten === undefined) return state;
  const owned = new Set(Object.values(state.entries).map(keyOf));
  const left = Object.entries(forgotten).filter(([id, { kind }]) => !owned.has(keyOf({ kind, id })));
  return { ...state, forgotten: Object.fromEntries(left) };
}

function keyOf({ kind, id }: Pick<Entry, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}
