import { isDeepStrictEqual } from 'node:util';
import { addExternalValues, type ExternalValue } from '../model/external-values.ts';
import type { StateChange } from '../model/state-change.ts';
import type { AppliedRevision, State } from '../model/state.ts';

/** A state that a run is changing: whole, and what of it has changed since that was last taken. */
export interface ChangingState {
  readonly change: (change: StateChange) => void;
  /** What has changed since it was last taken; undefined when nothing has. */
  readonly untaken: () => StateChange | undefined;
  /** The same, and takes it. */
  readonly takeChange: () => StateChange | undefined;
  /** Whether it differs from the state that was given: of what a run records before a request, it takes some back. */
  readonly differs: () => boolean;
  readonly whole: () => State;
}

/** Holds a state in a way that a change costs what it changes, however much there is. */
export function holdChanging({ applied: before, ...state }: State): ChangingState {
  const entries = new ChangingPart(state.entries);
  const intents = new ChangingPart(state.intents);
  const forgotten = new ChangingPart(state.forgotten);
  const lastAccess = new ChangingPart(state.lastAccess);
  const parts = [entries, intents, forgotten, lastAccess];
  const givenValues = state.externalValues ?? [];
  let externalValues = givenValues;
  let addedValues: readonly ExternalValue[] = [];
  let applied: AppliedRevision | undefined = before;
  let isChanged = false;

  function untaken(): StateChange | undefined {
    if (!isChanged) return undefined;
    return {
      entries: entries.changed(),
      intents: intents.changed(),
      forgotten: forgotten.changed(),
      lastAccess: lastAccess.changed(),
      externalValues: addedValues,
      ...(applied === undefined ? {} : { applied }),
    };
  }

  return {
    change: (change) => {
      entries.follow(change.entries);
      intents.follow(change.intents);
      forgotten.follow(change.forgotten ?? {});
      lastAccess.follow(change.lastAccess ?? {});
      externalValues = addExternalValues(externalValues, change.externalValues ?? []);
      addedValues = [...addedValues, ...(change.externalValues ?? [])];
      applied = change.applied;
      isChanged = true;
    },
    untaken,
    takeChange: () => {
      const taken = untaken();
      for (const part of parts) part.take();
      addedValues = [];
      isChanged = false;
      return taken;
    },
    differs: () =>
      parts.some((part) => part.differs()) || externalValues !== givenValues || !isDeepStrictEqual(applied, before),
    whole: () => ({
      ...state,
      entries: entries.whole(),
      intents: intents.whole(),
      forgotten: forgotten.whole(),
      lastAccess: lastAccess.whole(),
      externalValues,
      ...(applied === undefined ? {} : { applied }),
    }),
  };
}

/** One record of a state, by key. */
class ChangingPart<T> {
  readonly #all: Map<string, T>;
  /** What each key that has ever changed had at first. */
  readonly #given = new Map<string, T | undefined>();
  #changed = new Map<string, T | null>();

  constructor(given: Readonly<Record<string, T>> = {}) {
    this.#all = new Map(Object.entries(given));
  }

  follow(change: Readonly<Record<string, T | null>>): void {
    for (const [key, value] of Object.entries(change)) {
      if (!this.#given.has(key)) this.#given.set(key, this.#all.get(key));
      this.#changed.set(key, value);
      if (value === null) this.#all.delete(key);
      else this.#all.set(key, value);
    }
  }

  changed(): Readonly<Record<string, T | null>> {
    return Object.fromEntries(this.#changed);
  }

  take(): void {
    this.#changed = new Map();
  }

  differs(): boolean {
    return [...this.#given].some(([key, value]) => !isDeepStrictEqual(this.#all.get(key), value));
  }

  whole(): Readonly<Record<string, T>> {
    return Object.fromEntries(this.#all);
  }
}
