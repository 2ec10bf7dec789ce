import { offers } from '../../../derive/wire/operations.ts';
import { kinds } from '../../../kinds/index.ts';
import type { Profile } from '../../../kinds/kind.ts';
import type { Account } from '../../../model/actual.ts';
import type { Entry, State } from '../../../model/state.ts';

/** The part of a state that no marker tells, to look at the account with: resources whose markers are never updated, unfinished adoptions and replacements, and what was released with its marker. */
export function knownToStateAlone(state: State, profile: Profile): State {
  const { intents: _, ...rest } = state;
  const isKnown = ({ kind: name, adopting, deposed }: Entry): boolean => {
    const kind = kinds.named(name);
    return kind !== undefined && (adopting === true || deposed !== undefined || !offers(kind, profile).update);
  };
  return { ...rest, entries: Object.fromEntries(Object.entries(state.entries).filter(([, entry]) => isKnown(entry))) };
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
