import { LockHeld, Refused, SluiceError, StateError, StoreNotAllowed, StoreRefused } from '../../diagnostics/errors.ts';
import type { StateChange } from '../../model/state-change.ts';
import type { ChangingState } from '../changing-state.ts';
import { mustBeOurs } from '../must-be-ours.ts';
import { hasNews, nothingToWrite, takingStates, grouped } from '../state-to-write.ts';
import type { StateStore, StateStoreOptions } from '../store.ts';
import type { LeaseSession } from './lease-session.ts';
import type { RemoteStore } from './remote-store.ts';
import { readStored } from './stored-state.ts';
import { storedLease } from './take-lease.ts';

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
    load: async () => mustBeOurs(await session.load(options), location, options),
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

/** State in a store that several machines share, for a command that only reads. */
export function readingStateStore(store: RemoteStore, options: StateStoreOptions): StateStore {
  const { location } = store;
  const refused = (): never => {
    throw new Refused('LOCK_LOST', `the state in ${location} cannot be written: this run does not hold its lock`);
  };
  return {
    load: async () => {
      const lease = (await storedLease(store))?.record ?? { state: null, folded_through: 0, fence: 0 };
      const { state } = await readStored(store, { lease, upTo: lease.fence });
      return mustBeOurs(state, location, options);
    },
    save: () => Promise.resolve().then(refused),
    recorder: () => () => Promise.resolve().then(refused),
    close: () => Promise.resolve(),
  };
}
