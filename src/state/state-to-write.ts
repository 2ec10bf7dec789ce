import { holdChanging, type ChangingState } from './changing-state.ts';
import type { StateStore } from './store.ts';

/** What a store has to write. */
export interface StateToWrite {
  /** The state that a run changes; undefined before it has given one. */
  held: ChangingState | undefined;
  /** Whether all of it is written, not only what has changed. */
  isWhole: boolean;
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
      const mine = holdChanging(state);
      to.held = mine;
      return (change) => {
        mine.change(change);
        return write();
      };
    },
  };
}
