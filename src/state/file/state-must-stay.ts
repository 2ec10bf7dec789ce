import { Refused } from '../../diagnostics/errors.ts';
import type { StateStore } from '../store.ts';

/** Watches over a state in files for one process: where it had a state, and finds none later, that is lost and not new. */
export function stateMustStay(location: string): {
  readonly watched: (store: StateStore) => StateStore;
  /** This process itself has taken the state away. */
  readonly removed: () => void;
} {
  let wasHere = false;
  const seen = (): void => {
    wasHere = true;
  };
  return {
    removed: () => {
      wasHere = false;
    },
    watched: (store) => ({
      ...store,
      load: async () => {
        const state = await store.load();
        if (state !== undefined) seen();
        else if (wasHere) throw lost(location);
        return state;
      },
      save: (state) => store.save(state).then(seen),
      recorder: (state) => {
        const record = store.recorder(state);
        return (change) => record(change).then(seen);
      },
    }),
  };
}

function lost(location: string): Refused {
  return new Refused('STATE_LOST', `the state ${location} was removed while this process used it`, {
    hint: 'put the state back, or stop this process and run `sluice state rebuild` to rebuild the state from the ownership markers',
  });
}
