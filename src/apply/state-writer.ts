import { externalValuesIn } from '../derive/external/external-values-in.ts';
import { knownOf } from '../derive/stored/known-spec.ts';
import type { Address } from '../model/address.ts';
import { addExternalValues, type ExternalValue } from '../model/external-values.ts';
import type { StateChange } from '../model/state-change.ts';
import type { AppliedRevision, Entry, ForgottenResource, Intent, LastAccess, State } from '../model/state.ts';

/** State while an apply runs: changed after each success, made durable as fast as writes allow. */
export interface StateWriter {
  readonly entry: (address: Address) => Entry | undefined;
  /** Remembers a resource. One with another id than before is what a creation of that address has made, which has come to its end. */
  readonly put: (address: Address, entry: Entry) => void;
  readonly drop: (address: Address) => void;
  /** Gives up what goes on carrying our marker, so that nobody takes it for ours again. */
  readonly putForgotten: (id: string, forgotten: ForgottenResource) => void;
  /** A creation that was intended and whose end is not known. */
  readonly intent: (address: Address) => Intent | undefined;
  /** Writes down that a creation is about to be sent; it may be once this resolves. */
  readonly putIntent: (address: Address, intent: Intent) => Promise<void>;
  /** The creation was not sent, and will not be. */
  readonly withdrawIntent: (address: Address) => void;
  /** Records values from variables and files; they may be sent once this resolves. */
  readonly putExternalValues: (values: readonly ExternalValue[]) => Promise<void>;
  /** The creation did not happen, as the service says. What turns up all the same is known as ours where something else has its address. */
  readonly dropIntent: (address: Address) => void;
  /** Remembers what requests had to satisfy when they last reached something, and forgets it for null; resolves once that is durable. */
  readonly rememberAccess: (changes: Readonly<Record<string, LastAccess | null>>) => Promise<void>;
  /** Records that all of a revision is applied. */
  readonly putApplied: (applied: AppliedRevision) => void;
  /** What went wrong with saving, once it has: nothing new may be started then. */
  readonly failure: () => unknown;
  /** Resolves when everything is durable, or to what kept it from being so. */
  readonly flush: () => Promise<unknown>;
}

/** Makes a change durable. What could not be made so must go along with a later change. */
export type RecordChange = (change: StateChange) => Promise<void>;

// What is refused day after day must not make state longer and longer.
const mostNonces = 20;

// Hosts of previews come and go for years: beyond this the oldest are dropped.
const mostAccess = 5_000;

/** Holds a state in memory. What changes together, as when many creations start at once, is recorded together (decisions/0013). */
export function createStateWriter(state: State, record: RecordChange): StateWriter {
  const entries = new Map(Object.entries(state.entries));
  const intents = new Map(Object.entries(state.intents ?? {}));
  const forgotten = new Map(Object.entries(state.forgotten ?? {}));
  const lastAccess = new Map(Object.entries(state.lastAccess ?? {}));
  let externalValues = state.externalValues ?? [];
  let applied = state.applied;
  let changes = nothing();
  let failure: unknown;
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  function changed(): Promise<void> {
    applied = changes.applied;
    next ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      next = undefined;
      const change = changes;
      changes = nothing();
      return record(change);
    });
    // The last one names all that is not recorded.
    next.catch((error: unknown) => (failure = error));
    last = next;
    return next;
  }

  function setEntry(address: Address, entry: Entry | null): Promise<void> {
    changes.entries[address] = entry;
    return changed();
  }

  function setIntent(address: Address, intent: Intent | null): Promise<void> {
    changes.intents[address] = intent;
    return changed();
  }

  function setForgotten(id: string, value: ForgottenResource | null): Promise<void> {
    changes.forgotten[id] = value;
    return changed();
  }

  async function putExternalValues(values: readonly ExternalValue[]): Promise<void> {
    const all = addExternalValues(externalValues, values);
    if (all === externalValues) return last;
    externalValues = all;
    changes.externalValues.push(...values);
    await changed();
  }

  function drop(address: Address): void {
    if (entries.delete(address)) void setEntry(address, null);
  }

  return {
    entry: (address) => entries.get(address),
    put: (address, given) => {
      // What is taken over again is given up no longer.
      if (forgotten.delete(given.id)) void setForgotten(given.id, null);
      const intent = entries.get(address)?.id === given.id ? undefined : intents.get(address);
      if (intent !== undefined && intents.delete(address)) void setIntent(address, null);
      // What a creation was sent with may still turn up, so it stays known as ours.
      const nonces = [...(given.formerNonces ?? []), ...(intent?.nonces ?? [])].filter(
        (nonce) => nonce !== given.nonce,
      );
      const entry = nonces.length === 0 ? given : { ...given, formerNonces: [...new Set(nonces)] };
      if (intent === undefined && JSON.stringify(entries.get(address)) === JSON.stringify(entry)) return;
      entries.set(address, entry);
      void setEntry(address, entry);
      const values = knownOf(entry).flatMap((spec) => externalValuesIn(entry.kind, spec));
      putExternalValues(values).catch(() => undefined);
    },
    drop,
    putForgotten: (id, value) => {
      drop(value.address);
      if (forgotten.has(id)) return;
      forgotten.set(id, value);
      void setForgotten(id, value);
    },
    intent: (address) => intents.get(address),
    putIntent: (address, intent) => {
      intents.set(address, intent);
      return setIntent(address, intent);
    },
    withdrawIntent: (address) => {
      if (intents.delete(address)) void setIntent(address, null);
    },
    putExternalValues,
    dropIntent: (address) => {
      const { nonces = [] } = intents.get(address) ?? {};
      if (intents.delete(address)) void setIntent(address, null);
      const entry = entries.get(address);
      if (entry === undefined || nonces.length === 0) return;
      const formerNonces = [...new Set([...(entry.formerNonces ?? []), ...nonces])].slice(-mostNonces);
      entries.set(address, { ...entry, formerNonces });
      void setEntry(address, { ...entry, formerNonces });
    },
    rememberAccess: async (given) => {
      if (Object.keys(given).length === 0) return;
      let isOther = false;
      for (const [pattern, access] of Object.entries(given)) {
        if (JSON.stringify(lastAccess.get(pattern) ?? null) === JSON.stringify(access)) continue;
        isOther = true;
        lastAccess.delete(pattern);
        if (access !== null) lastAccess.set(pattern, access);
        changes.lastAccess[pattern] = access;
      }
      for (const oldest of lastAccess.keys()) {
        if (lastAccess.size <= mostAccess) break;
        lastAccess.delete(oldest);
        changes.lastAccess[oldest] = null;
      }
      await (isOther ? changed() : last).catch(() => undefined);
    },
    putApplied: (revision) => {
      if (JSON.stringify(applied) === JSON.stringify(revision)) return;
      changes.applied = revision;
      void changed();
    },
    failure: () => failure,
    flush: async () => {
      await last.catch(() => undefined);
      return failure;
    },
  };
}

interface Changes {
  readonly entries: Record<Address, Entry | null>;
  readonly intents: Record<Address, Intent | null>;
  readonly forgotten: Record<string, ForgottenResource | null>;
  readonly lastAccess: Record<string, LastAccess | null>;
  readonly externalValues: ExternalValue[];
  applied?: AppliedRevision;
}

function nothing(): Changes {
  return { entries: {}, intents: {}, forgotten: {}, lastAccess: {}, externalValues: [] };
}
