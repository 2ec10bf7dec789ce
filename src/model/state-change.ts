import type { Address } from './address.ts';
import type { Entry, Intent, State } from './state.ts';

/** What became of some of the entries and intents of a state: the new ones, and null for those that are gone. */
export interface StateChange {
  readonly entries: Readonly<Record<Address, Entry | null>>;
  readonly intents: Readonly<Record<Address, Intent | null>>;
}

/** A state after some of it has changed. */
export function changeState(state: State, { entries, intents }: StateChange): State {
  return { ...state, entries: overlay(state.entries, entries), intents: overlay(state.intents ?? {}, intents) };
}

function overlay<T>(
  all: Readonly<Record<Address, T>>,
  changed: Readonly<Record<Address, T | null>>,
): Readonly<Record<Address, T>> {
  const next = new Map(Object.entries(all));
  for (const [address, value] of Object.entries(changed)) {
    if (value === null) next.delete(address);
    else next.set(address, value);
  }
  return Object.fromEntries(next);
}
