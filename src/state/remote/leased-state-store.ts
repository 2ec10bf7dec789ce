import { LockHeld, SluiceError, StateError, StoreNotAllowed, StoreRefused } from '../../diagnostics/errors.ts';
import type { StateChange } from '../../model/state-change.ts';
import type { ChangingState } from '../changing-state.ts';
import { grouped } from '../grouped.ts';
import { mustBeOurs } from '../must-be-ours.ts';
import { hasNews, nothingToWrite, takingStates } from '../state-to-write.ts';
import type { StateStore, StateStoreOptions } from '../store.ts';
import type { LeaseSession } from './lease-session.ts';

/** State in a store that several machines share, for a run that has the lease. */
export function leasedStateStore(session: LeaseSession, options: StateStoreOptions, location: string): StateStore {
  const given = nothingToWrite();
  let isChanged = false;

  const write = grouped(async () => {
    const mine = given.held;
    if (mine === undefined) return;
    await writeHeld(mine).catch((error: unknown) => {
      throw withIds(error, [session.pendingChange, mine.untaken()]);
    });
  });

  async function writeHeld(held: ChangingState): Promise<void> {
    await session.finish();
    if (given.isWhole || !session.hasState) {
      held.takeChange();
      await session.replace(held.whole(), options);
      given.isWhole = false;
      isChanged = false;
      return;
    }
    const change = held.takeChange();
    if (change === undefined) return;
    isChanged = true;
    await session.append(change);
  }

  return {
    load: async () => {
      const state = await session.load(options);
      if (state !== undefined) mustBeOurs(state, location, options);
      return state;
    },
    ...takingStates(given, write),
    close: async () => {
      if (given.held === undefined || !(given.isWhole || isChanged)) return;
      // What stands in the journal is durable; where the state cannot be written now, the next run folds it in.
      await session.replace(given.held.whole(), options, hasNews(given)).catch(() => undefined);
    },
  };
}

/** Names what was created and could not be recorded. */
function withIds(error: unknown, changes: readonly (StateChange | undefined)[]): unknown {
  const entries = Object.entries(
    Object.assign({}, ...changes.map((change) => change?.entries)) as StateChange['entries'],
  );
  const made = entries.flatMap(([address, entry]) => (entry === null ? [] : `${address} (${entry.id})`));
  const Kind = [StateError, StoreNotAllowed, StoreRefused, LockHeld].find((kind) => error instanceof kind);
  if (Kind === undefined || !(error instanceof SluiceError) || made.length === 0) return error;
  const { code, message, hint = '', hintInWatch = '' } = error;
  const text = `${message}; resources not recorded in the state: ${made.join(', ')}`;
  return new Kind(code, text, { cause: error, hint, hintInWatch });
}
