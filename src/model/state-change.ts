import type { Address } from './address.ts';
import { addExternalValues, type ExternalValue } from './external-values.ts';
import type { AppliedRevision, Entry, ForgottenResource, Intent, LastAccess, State } from './state.ts';

/** What became of some of what a state holds: the new values, and null for those that are gone. */
export interface StateChange {
  readonly entries: Readonly<Record<Address, Entry | null>>;
  readonly intents: Readonly<Record<Address, Intent | null>>;
  readonly forgotten?: Readonly<Record<string, ForgottenResource | null>>;
  readonly lastAccess?: Readonly<Record<string, LastAccess | null>>;
  /** Those to add. */
  readonly externalValues?: readonly ExternalValue[];
  /** With the last change of an apply of everything; any change without it leaves a state of no revision. */
  readonly applied?: AppliedRevision;
}

/** A state after some of it has changed. */
export function changeState(
  { applied: _, ...state }: State,
  { entries, intents, forgotten = {}, lastAccess = {}, externalValues = [], applied }: StateChange,
): State {
  return {
    ...state,
    entries: overlay(state.entries, entries),
    intents: overlay(state.intents ?? {}, intents),
    forgotten: overlay(state.forgotten ?? {}, forgotten),
    lastAccess: overlay(state.lastAccess ?? {}, lastAccess),
    externalValues: addExternalValues(state.externalValues ?? [], externalValues),
    ...(applied === undefined ? {} : { applied }),
  };
}

function overlay<T>(
  all: Readonly<Record<string, T>>,
  changed: Readonly<Record<string, T | null>>,
): Readonly<Record<string, T>> {
  const next = new Map(Object.entries(all));
  for (const [key, value] of Object.entries(changed)) {
    if (value === null) next.delete(key);
    else next.set(key, value);
  }
  return Object.fromEntries(next);
}
