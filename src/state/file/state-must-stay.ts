import { Refused } from '../../diagnostics/errors.ts';
import type { State } from '../../model/state.ts';
import type { StateStore } from '../store.ts';

/** Watches over a state in files for one process: where it had resources, and is gone later, that is lost and not new. */
export function stateMustStay(location: string): {
  readonly watched: (store: StateStore) => StateStore;
  /** This process itself has taken the state away. */
  readonly removed: () => void;
} {
  let hasResources = false;
  const see = (state: State | undefined): void => {
    hasResources = state !== undefined && Object.keys(state.entries).length > 0;
  };
  return {
    removed: () => see(undefined),
    watched: (store) => ({
      ...store,
      load: async () => {
        const state = await store.load();
        if (state === undefined && hasResources) throw lost(location);
        see(state);
        return state;
      },
      save: (state) => store.save(state).then(() => see(state)),
      recorder: (state) => {
        const record = store.recorder(state);
        return async (change) => {
          await record(change);
          hasResources ||= Object.values(change.entries).some((entry) => entry !== null);
        };
      },
    }),
  };
}

function lost(location: string): Refused {
  return new Refused('STATE_LOST', `the state ${location} was removed while this process used it`, {
    hint: 'restore the state from a backup, or stop this process and run `sluice state rebuild`, which finds resources by their ownership markers',
  });
}
