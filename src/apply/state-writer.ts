import { externalValuesIn } from '../derive/external/external-values-in.ts';
import { knownOf } from '../derive/stored/from-state.ts';
import type { Address } from '../model/address.ts';
import { addExternalValues, type ExternalValue } from '../model/external-values.ts';
import { isSameJson } from '../model/json-object.ts';
import type { StateChange } from '../model/state-change.ts';
import type { AppliedRevision, Entry, ForgottenResource, Intent, LastAccess, State } from '../model/state.ts';

/** State during an apply: changed after each success, and saved as fast as writes allow. */
export interface StateWriter {
  readonly entry: (address: Address) => Entry | undefined;
  /** The addresses of all entries. */
  readonly addresses: () => readonly Address[];
  /** Records a resource. A new id means that a creation of that address is finished, so its intent is removed. */
  readonly put: (address: Address, entry: Entry) => void;
  /** Records a resource of which less is known while a request is under way; the request may be sent once this resolves. */
  readonly putDoubtful: (address: Address, entry: Entry) => Promise<void>;
  readonly drop: (address: Address) => void;
  /** Forgets a resource that keeps the marker of this stack, so that no later run adopts it by that marker. */
  readonly putForgotten: (id: string, forgotten: ForgottenResource) => void;
  /** The intent of a creation whose outcome is unknown. */
  readonly intent: (address: Address) => Intent | undefined;
  /** Records the intent of a creation; the request may be sent once this resolves. */
  readonly putIntent: (address: Address, intent: Intent) => Promise<void>;
  /** Removes the intent of a creation that was not sent, and will not be. */
  readonly withdrawIntent: (address: Address) => void;
  /** Records values from variables and files; they may be sent once this resolves. */
  readonly putExternalValues: (values: readonly ExternalValue[]) => Promise<void>;
  /** Removes the intent of a creation that the service refused. Its nonces are kept in the entry of the address, if there is one: should the resource appear, it belongs to this stack. */
  readonly dropIntent: (address: Address) => void;
  /** Records what requests had to satisfy when they were last reachable, and removes the record for null; resolves once that is durable. */
  readonly rememberAccess: (changes: Readonly<Record<string, LastAccess | null>>) => Promise<void>;
  /** Records that all of a revision is applied. */
  readonly putApplied: (applied: AppliedRevision) => void;
  /** The error of a failed save, if any: nothing new may be started then. */
  readonly failure: () => unknown;
  /** Resolves when everything is durable, or to the error of a failed save. */
  readonly flush: () => Promise<unknown>;
}

/** Makes a change durable. After a failure, a later call must save that change as well. */
export type RecordChange = (change: StateChange) => Promise<void>;

// A creation that fails again and again, or a renewal each day, must not let state grow without limit: the newest count.
const mostNonces = 20;

// Hosts of previews come and go for years: beyond this the oldest are dropped.
const mostAccess = 5_000;

/** Keeps a state in memory. Changes of the same moment, such as the intents of many creations, are recorded together (decisions/0013). */
export function createStateWriter(state: State, record: RecordChange): StateWriter {
  let changes = nothing();
  const entries = part(state.entries, () => changes.entries);
  const intents = part(state.intents, () => changes.intents);
  const forgotten = part(state.forgotten, () => changes.forgotten);
  const lastAccess = part(state.lastAccess, () => changes.lastAccess);
  let externalValues = state.externalValues ?? [];
  let applied = state.applied;
  let failure: unknown;
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  function changed(): Promise<void> {
    applied = changes.applied;
    if (next !== undefined) return next;
    next = new Promise((resolve) => setImmediate(resolve)).then(() => {
      next = undefined;
      const change = changes;
      changes = nothing();
      return record(change);
    });
    // The last error reports everything that is not recorded.
    next.catch((error: unknown) => (failure = error));
    last = next;
    return next;
  }

  /** A part of the state. What is set or dropped in it is recorded. */
  function part<T>(before: Readonly<Record<string, T>> = {}, changesOf: () => Record<string, T | null>) {
    const all = new Map(Object.entries(before));
    const set = (key: string, value: T): Promise<void> => {
      all.set(key, value);
      changesOf()[key] = value;
      return changed();
    };
    const drop = (key: string): void => {
      if (!all.delete(key)) return;
      changesOf()[key] = null;
      void changed();
    };
    return { get: (key: string): T | undefined => all.get(key), keys: () => [...all.keys()], set, drop };
  }

  async function putExternalValues(values: readonly ExternalValue[]): Promise<void> {
    const all = addExternalValues(externalValues, values);
    if (all === externalValues) return last;
    externalValues = all;
    changes.externalValues.push(...values);
    await changed();
  }

  return {
    entry: entries.get,
    addresses: entries.keys,
    put: (address, given) => {
      // A resource that is adopted again is no longer forgotten.
      forgotten.drop(given.id);
      const intent = entries.get(address)?.id === given.id ? undefined : intents.get(address);
      if (intent !== undefined) intents.drop(address);
      // A resource with another nonce of this creation may still appear: its nonce shows that it belongs to this stack.
      const nonces = newest([...(given.formerNonces ?? []), ...(intent?.nonces ?? [])], given.nonce);
      const entry = nonces.length === 0 ? given : { ...given, formerNonces: nonces };
      if (intent === undefined && isSameJson(entries.get(address), entry)) return;
      void entries.set(address, entry);
      const values = knownOf(entry).flatMap((spec) => externalValuesIn(entry.kind, spec));
      putExternalValues(values).catch(() => undefined);
    },
    putDoubtful: entries.set,
    drop: entries.drop,
    putForgotten: (id, value) => {
      entries.drop(value.address);
      if (forgotten.get(id) === undefined) void forgotten.set(id, value);
    },
    intent: intents.get,
    putIntent: (address, given) => intents.set(address, { ...given, nonces: newest(given.nonces) }),
    withdrawIntent: intents.drop,
    putExternalValues,
    dropIntent: (address) => {
      const { nonces = [] } = intents.get(address) ?? {};
      intents.drop(address);
      const entry = entries.get(address);
      if (entry === undefined || nonces.length === 0) return;
      void entries.set(address, { ...entry, formerNonces: newest([...(entry.formerNonces ?? []), ...nonces]) });
    },
    rememberAccess: async (given) => {
      if (Object.keys(given).length === 0) return;
      for (const [pattern, access] of Object.entries(given)) {
        if (isSameJson(lastAccess.get(pattern) ?? null, access)) continue;
        // The newest is the last.
        lastAccess.drop(pattern);
        if (access !== null) void lastAccess.set(pattern, access);
      }
      for (const oldest of lastAccess.keys().slice(0, -mostAccess)) lastAccess.drop(oldest);
      await last.catch(() => undefined);
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

function newest(nonces: readonly string[], current?: string): readonly string[] {
  return [...new Set(nonces)].filter((nonce) => nonce !== current).slice(-mostNonces);
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
