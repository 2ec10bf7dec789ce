import { holdChanging, type ChangingState } from '../changing-state.ts';
import { grouped } from '../grouped.ts';
import { mustBeOurs } from '../must-be-ours.ts';
import type { StateStore, StateStoreOptions } from '../store.ts';
import type { LeaseSession } from './lease-session.ts';

/** State in a store that several machines share, for a run that has the lease. */
export function leasedStateStore(session: LeaseSession, options: StateStoreOptions, location: string): StateStore {
  let held: ChangingState | undefined;
  let isWhole = false;
  let isChanged = false;

  const write = grouped(async () => {
    if (held === undefined) return;
    await session.finish();
    if (isWhole || !session.hasState) {
      held.takeChange();
      await session.replace(held.whole(), options);
      isWhole = false;
      isChanged = false;
      return;
    }
    const change = held.takeChange();
    if (change === undefined) return;
    isChanged = true;
    await session.append(change);
  });

  return {
    load: async () => {
      const state = await session.load(options);
      if (state !== undefined) mustBeOurs(state, location, options);
      return state;
    },
    save: (state) => {
      held = holdChanging(state);
      isWhole = true;
      return write();
    },
    recorder: (state) => {
      const mine = holdChanging(state);
      held = mine;
      return (change) => {
        mine.change(change);
        return write();
      };
    },
    close: async () => {
      if (held === undefined || !(isWhole || isChanged)) return;
      const state = held.whole();
      // What stands in the journal is durable; where the state cannot be written now, the next run folds it in.
      await session
        .finish()
        .then(() => session.replace(state, options))
        .catch(() => undefined);
    },
  };
}
