import type { Address } from '../model/address.ts';
import type { Entry, Intent, State } from '../model/state.ts';

/** State while an apply runs: changed after each success, made durable as fast as writes allow. */
export interface Memory {
  readonly entry: (address: Address) => Entry | undefined;
  /** Remembers a resource. A creation that was intended under its address has come to its end. */
  readonly put: (address: Address, entry: Entry) => void;
  readonly drop: (address: Address) => void;
  /** Writes down that a creation is about to be sent; it may be once this resolves. */
  readonly intend: (address: Address, intent: Intent) => Promise<void>;
  /** The creation did not happen. */
  readonly strike: (address: Address) => void;
  /** What went wrong with saving, once it has: nothing new may be started then. */
  readonly failure: () => unknown;
  /** Resolves when everything is durable; throws what went wrong. */
  readonly settle: () => Promise<void>;
}

/** Holds a state in memory. What changes together, as when many creations start at once, is saved together (rulings 24). */
export function holdState(state: State, save: (state: State) => Promise<void>): Memory {
  const entries = new Map(Object.entries(state.entries));
  const intents = new Map(Object.entries(state.intents ?? {}));
  let failure: unknown;
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  function changed(): Promise<void> {
    next ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      next = undefined;
      return save({ ...state, entries: Object.fromEntries(entries), intents: Object.fromEntries(intents) });
    });
    next.catch((error: unknown) => (failure ??= error));
    last = next;
    return next;
  }

  return {
    entry: (address) => entries.get(address),
    put: (address, given) => {
      const intent = intents.get(address);
      intents.delete(address);
      // What a creation was sent with may still turn up, so it stays known as ours.
      const nonces = [...(given.formerNonces ?? []), ...(intent?.nonces ?? [])].filter(
        (nonce) => nonce !== given.nonce,
      );
      const entry = nonces.length === 0 ? given : { ...given, formerNonces: [...new Set(nonces)] };
      if (intent === undefined && JSON.stringify(entries.get(address)) === JSON.stringify(entry)) return;
      entries.set(address, entry);
      void changed();
    },
    drop: (address) => {
      if (entries.delete(address)) void changed();
    },
    intend: (address, intent) => {
      intents.set(address, intent);
      return changed();
    },
    strike: (address) => {
      if (intents.delete(address)) void changed();
    },
    failure: () => failure,
    settle: () => last,
  };
}
