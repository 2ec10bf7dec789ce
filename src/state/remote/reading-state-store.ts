import { Refused } from '../../diagnostics/errors.ts';
import type { State } from '../../model/state.ts';
import { mustBeOurs } from '../must-be-ours.ts';
import type { StateStore, StateStoreOptions } from '../store.ts';

/** State in a store that several machines share, for a command that only reads. */
export function readingStateStore(
  read: () => Promise<State | undefined>,
  options: StateStoreOptions,
  location: string,
): StateStore {
  const refused = (): never => {
    throw new Refused('LOCK_LOST', `the state in ${location} cannot be written: this run does not hold its lock`);
  };
  return {
    load: async () => {
      const state = await read();
      if (state !== undefined) mustBeOurs(state, location, options);
      return state;
    },
    save: () => Promise.resolve().then(refused),
    recorder: () => () => Promise.resolve().then(refused),
    close: () => Promise.resolve(),
  };
}
