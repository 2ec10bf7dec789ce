import type { RecordChange } from '../../src/apply/state-writer.ts';
import { changeState } from '../../src/model/state-change.ts';
import type { State } from '../../src/model/state.ts';

/** Saves a state as a whole. */
export type SaveState = (state: State) => Promise<void>;

/** Records each change by saving the whole state. */
export function savingWholeStates(state: State, save: SaveState): RecordChange {
  let current = state;
  return (change) => {
    current = changeState(current, change);
    return save(current);
  };
}
