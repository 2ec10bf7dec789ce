import { changeState } from '../model/state-change.ts';
import type { State } from '../model/state.ts';
import type { RecordChange } from './state-writer.ts';

/** Records each change by saving the whole state that it makes: for a store that knows nothing else. */
export function saveWholeStates(state: State, save: (state: State) => Promise<void>): RecordChange {
  let current = state;
  return (change) => {
    current = changeState(current, change);
    return save(current);
  };
}
