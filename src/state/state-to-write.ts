import { holdChanging, type ChangingState } from './changing-state.ts';
import type { StateStore } from './store.ts';

/** What a store has to write. */
export interface StateToWrite {
  /** The state that a run changes; undefined before it has given one. */
  held: ChangingState | undefined;
  /** Whether all of it is written, not only what has changed. */
  isWhole: boolean;
  /** Whether the run has given another state before, which differed from what was stored. */
  hasDiffered: boolean;
}

/** A store that has been given nothing yet. */
export function nothingToWrite(): StateToWrite {
  return { held: undefined, isWhole: false, hasDiffered: false };
}

/** Whether what a run leaves behind is other than what it found: only then a backup of that is worth its place. */
export function hasNews({ held, isWhole, hasDiffered }: StateToWrite): boolean {
  return isWhole || hasDiffered || held?.differs() === true;
}

/** The half of a store that takes what a run gives it, as a whole or change by change, and has each written. */
export function takingStates(to: StateToWrite, write: () => Promise<void>): Pick<StateStore, 'save' | 'recorder'> {
  return {
    save: (state) => {
      to.held = holdChanging(state);
      to.isWhole = true;
      return write();
    },
    recorder: (state) => {
      to.hasDiffered ||= to.held?.differs() === true;
      const mine = holdChanging(state);
      to.held = mine;
      return (change) => {
        mine.change(change);
        return write();
      };
    },
  };
}

/** Makes an action whose callers share a run: those who come while one is under way get the next, all the same one. */
export function grouped(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = action();
        return running;
      });
    return next;
  };
}
