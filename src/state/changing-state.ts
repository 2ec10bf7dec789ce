import { addExternalValues, type ExternalValue } from '../model/external-values.ts';
import type { StateChange } from '../model/state-change.ts';
import type { AppliedRevision, Entry, ForgottenResource, Intent, LastAccess, State } from '../model/state.ts';

/** A state that a run is changing: whole, and what of it has changed since that was last taken. */
export interface ChangingState {
  readonly change: (change: StateChange) => void;
  /** What has changed since it was last taken; undefined when nothing has. */
  readonly untaken: () => StateChange | undefined;
  /** The same, and takes it. */
  readonly takeChange: () => StateChange | undefined;
  readonly whole: () => State;
}

/** Holds a state in a way that a change costs what it changes, however much there is. */
export function holdChanging({ applied: before, ...state }: State): ChangingState {
  const entries = new Map(Object.entries(state.entries));
  const intents = new Map(Object.entries(state.intents ?? {}));
  const forgotten = new Map(Object.entries(state.forgotten ?? {}));
  const lastAccess = new Map(Object.entries(state.lastAccess ?? {}));
  let externalValues = state.externalValues ?? [];
  let addedValues: readonly ExternalValue[] = [];
  let applied: AppliedRevision | undefined = before;
  let changedEntries = new Map<string, Entry | null>();
  let changedIntents = new Map<string, Intent | null>();
  let changedForgotten = new Map<string, ForgottenResource | null>();
  let changedAccess = new Map<string, LastAccess | null>();
  let isChanged = false;

  function untaken(): StateChange | undefined {
    if (!isChanged) return undefined;
    return {
      entries: Object.fromEntries(changedEntries),
      intents: Object.fromEntries(changedIntents),
      forgotten: Object.fromEntries(changedForgotten),
      lastAccess: Object.fromEntries(changedAccess),
      externalValues: addedValues,
      ...(applied === undefined ? {} : { applied }),
    };
  }

  return {
    change: (change) => {
      follow(entries, changedEntries, change.entries);
      follow(intents, changedIntents, change.intents);
      follow(forgotten, changedForgotten, change.forgotten ?? {});
      follow(lastAccess, changedAccess, change.lastAccess ?? {});
      externalValues = addExternalValues(externalValues, change.externalValues ?? []);
      addedValues = [...addedValues, ...(change.externalValues ?? [])];
      applied = change.applied;
      isChanged = true;
    },
    untaken,
    takeChange: () => {
      const taken = untaken();
      changedEntries = new Map();
      changedIntents = new Map();
      changedForgotten = new Map();
      changedAccess = new Map();
      addedValues = [];
      isChanged = false;
      return taken;
    },
    whole: () => ({
      ...state,
      entries: Object.fromEntries(entries),
      intents: Object.fromEntries(intents),
      forgotten: Object.fromEntries(forgotten),
      lastAccess: Object.fromEntries(lastAccess),
      externalValues,
      ...(applied === undefined ? {} : { applied }),
    }),
  };
}

function follow<T>(
  all: Map<string, T>,
  changed: Map<string, T | null>,
  change: Readonly<Record<string, T | null>>,
): void {
  for (const [address, value] of Object.entries(change)) {
    changed.set(address, value);
    if (value === null) all.delete(address);
    else all.set(address, value);
  }
}
