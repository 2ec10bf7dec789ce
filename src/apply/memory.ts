import type { Address } from '../model/address.ts';
import type { Entry, State } from '../model/state.ts';

/** State while an apply runs: changed after each success, made durable as fast as writes allow. */
export interface Memory {
  readonly entry: (address: Address) => Entry | undefined;
  readonly put: (address: Address, entry: Entry) => void;
  readonly drop: (address: Address) => void;
  /** What went wrong with saving, once it has: nothing new may be started then. */
  readonly failure: () => unknown;
  /** Resolves when everything is durable; throws what went wrong. */
  readonly settle: () => Promise<void>;
}

/** Holds a state in memory and hands each version to `save`, which may fold several into one write. */
export function holdState(state: State, save: (state: State) => Promise<void>): Memory {
  const entries: Record<Address, Entry> = { ...state.entries };
  let failure: unknown;
  let last: Promise<void> = Promise.resolve();
  const changed = (): void => {
    last = save({ ...state, entries: { ...entries } });
    last.catch((error: unknown) => (failure ??= error));
  };
  return {
    entry: (address) => entries[address],
    put: (address, entry) => {
      if (JSON.stringify(entries[address]) === JSON.stringify(entry)) return;
      entries[address] = entry;
      changed();
    },
    drop: (address) => {
      if (!Object.hasOwn(entries, address)) return;
      Reflect.deleteProperty(entries, address);
      changed();
    },
    failure: () => failure,
    settle: () => last,
  };
}
