import { once } from 'node:events';
import { LockHeld, StateError } from '../../diagnostics/errors.ts';
import type { StateChange } from '../../model/state-change.ts';
import { inSlices } from '../../model/sliced.ts';
import type { State } from '../../model/state.ts';
import { documentInSteps } from '../document.ts';
import { runAgain } from '../lock-hint.ts';
import { emptyState, type StateStoreOptions } from '../store.ts';
import { changeBytes, entryName, type JournalPosition } from './journal-entry.ts';
import { drawId, type LeaseRecord, lockLost } from './lease-record.ts';
import type { KeptLease } from './kept-lease.ts';
import { longestSince, type LeaseTime } from '../lease/lease-time.ts';
import { objectNames, type RemoteStore, type StoredObject } from './remote-store.ts';
import { pendingSwap, unsettled, type PendingSwap, type SettledSwap, type SwapPatience } from './settled-swap.ts';
import { stateObjectBytes, storedDigest } from './state-object.ts';
import { readStored, sealJournals, type StoredState } from './stored-state.ts';
import { storedLease, type TakenLease } from './take-lease.ts';
import { timeInName } from '../time-in-name.ts';

/** What a session needs of the lease that it writes under. */
export interface LeaseSessionOptions extends Pick<KeptLease, 'window' | 'note'>, Pick<TakenLease, 'record'> {
  readonly store: RemoteStore;
  readonly time: LeaseTime;
  readonly signal: AbortSignal | undefined;
}

/** A write that is tried until its result is known: one after it would not fit what the store holds. */
interface PendingWrite {
  readonly swap: PendingSwap;
  readonly done: (swapped: SettledSwap) => void;
  /** What it adds to the journal. */
  readonly change?: StateChange;
}

const keptBackups = 10;

const mostAttempts = 10;

/** The lease is this run's, and an earlier run has written the state: it is at work, and the state can be read. */
class StateWrittenMeanwhile extends LockHeld {
  constructor({ location }: RemoteStore) {
    super('STATE_CHANGED', `an earlier run keeps changing the state in ${location}`, runAgain);
  }
}

// A pipeline that cancels a job kills it after 7.5 seconds or more.
const cancelledMs = 3_000;

/** The writes of one run to state and journal, from taking the lease to giving it back. */
export class LeaseSession {
  readonly #options: LeaseSessionOptions;
  /** The facts about the state in the lease when it was taken, updated by this run. */
  #taken: Pick<LeaseRecord, 'state' | 'folded_through'>;
  #hasTakenOver = false;
  #hasWritten = false;
  #object: StoredObject | undefined;
  #serial = 0;
  #last = 0;
  #toRemove: JournalPosition[] = [];
  #pending: PendingWrite | undefined;
  #hasBackup = false;
  #backups = 0;
  #isAside = false;
  #isCutOff = false;

  constructor(options: LeaseSessionOptions) {
    this.#options = options;
    this.#taken = options.record;
  }

  /** Reads the state. The first time, all earlier runs are kept from writing, and what they recorded goes into the state. */
  async load(options: StateStoreOptions): Promise<State | undefined> {
    const { record } = this.#options;
    if (this.#isAside) return undefined;
    await this.finish().catch((error: unknown) => {
      // Of an earlier call; what is there now is read below.
      if (!(error instanceof StateWrittenMeanwhile)) throw error;
    });
    for (let attempt = 1; ; attempt++) {
      const found = await this.#read(options).catch(async (error: unknown) => {
        throw await this.#unlessTakenOver(error);
      });
      this.#object = found.object;
      this.#serial = Math.max(found.state?.serial ?? 0, options.continues ?? 0);
      this.#toRemove = [...found.entries];
      if (this.#hasTakenOver) return found.state;
      const endedInOrder = this.#taken.folded_through === record.fence - 1 && found.entries.length === 0;
      const state = found.state ?? (endedInOrder ? undefined : emptyState(options.lineage, options.account));
      if (state !== undefined && !endedInOrder && !(await this.#hasReplaced(state, options, attempt))) continue;
      this.#hasTakenOver = true;
      this.#taken = { ...this.#taken, folded_through: record.fence - 1 };
      return state && { ...state, serial: this.#serial };
    }
  }

  /** Whether this run has taken over with this state. An earlier run that was stopped, and does not know yet that it has lost the lease, may have written the state since it was read. */
  async #hasReplaced(state: State, options: StateStoreOptions, attempt: number): Promise<boolean> {
    try {
      await this.replace(state, options);
      return true;
    } catch (error) {
      if (!(error instanceof StateWrittenMeanwhile) || attempt === mostAttempts) throw error;
      return false;
    }
  }

  async #read({ continues, pause }: StateStoreOptions): Promise<StoredState> {
    const { store, record } = this.#options;
    const seals = this.#seals();
    const mayBeMoved = continues !== undefined;
    const found = await readStored(store, { lease: this.#taken, upTo: record.fence, seals, mayBeMoved, pause });
    // What a run with the fence of the state recorded would count as part of it.
    if (found.fence > record.fence || (found.fence === record.fence && !this.#hasWritten)) {
      // With the fence of this run the lease is as new as the state.
      const then = found.fence === record.fence ? 'run the command again' : 'run `sluice state unlock`';
      throw new StateError('LEASE_OUTDATED', `the lock record in ${store.location} is older than the state there`, {
        hint: `the store was restored from a backup: make sure that no run is active, then ${then}`,
      });
    }
    return found;
  }

  /** A run that was suspended since it took the lease finds what a newer one has written, moved or removed: nothing is wrong with that. */
  async #unlessTakenOver(error: unknown): Promise<unknown> {
    const { store, record, window } = this.#options;
    const lease = await storedLease(store, true).catch(() => undefined);
    if (lease === undefined || lease.record.token === record.token) return error;
    window.lose();
    return lockLost();
  }

  get hasState(): boolean {
    return this.#object !== undefined && !this.#isAside;
  }

  /** Keeps a state that cannot be read under another name; the next one replaces it. */
  async setAside(name: string): Promise<void> {
    const { store, record } = this.#options;
    this.#object = await store.read(objectNames.state);
    if (this.#object !== undefined) await this.#copy(this.#object, name);
    await sealJournals(store, { lease: this.#taken, upTo: record.fence, seals: this.#seals() });
    this.#hasTakenOver = true;
    this.#isAside = true;
    this.#taken = { state: null, folded_through: record.fence - 1 };
    // What is written next is newer than all that the lease knows of.
    this.#serial = record.state?.serial ?? 0;
  }

  /** A change that an earlier call could not make durable. */
  get pendingChange(): StateChange | undefined {
    return this.#pending?.change;
  }

  /** Makes durable what an earlier call could not. */
  async finish(): Promise<void> {
    const pending = this.#pending;
    if (pending === undefined) return;
    const swapped = await this.#settled(pending.swap);
    this.#pending = undefined;
    pending.done(swapped);
  }

  async append(change: StateChange): Promise<void> {
    await this.finish();
    const at = { fence: this.#options.record.fence, entry: this.#last + 1 };
    const serial = this.#serial + 1;
    const done = (): void => {
      this.#last = at.entry;
      this.#serial = serial;
      this.#toRemove.push(at);
    };
    this.#pending = { swap: this.#swapOf(entryName(at), undefined, changeBytes(at, serial, change)), done, change };
    await this.finish();
  }

  /** Puts a state in the place of the one before, with all of the journal in it; where it has no news, without a backup. */
  async replace(
    state: State,
    { writer, now = () => new Date(), pause }: StateStoreOptions,
    hasNews = true,
  ): Promise<void> {
    await this.finish();
    if (hasNews) await this.#keepBackup(now());
    const serial = this.#serial + 1;
    const text = await inSlices(documentInSteps({ ...state, serial }, writer), pause);
    await this.#put(serial, { text });
  }

  /** Leaves in the place of the state where it is now. */
  async moveAway(to: string, { now = () => new Date() }: StateStoreOptions): Promise<void> {
    await this.finish();
    await this.#keepBackup(now());
    await this.#put(this.#serial, { moved: to, text: '' });
    this.#options.note({ moved: to });
  }

  /** Records in the lease that there is no state, if the stored one is that which this run has read. */
  async forget(): Promise<boolean> {
    const { store, note } = this.#options;
    const isSame = (await store.read(objectNames.state))?.version === this.#object?.version;
    if (isSame) note({ state: null });
    return isSame;
  }

  async #put(serial: number, { text, moved }: { readonly text: string; readonly moved?: string }): Promise<void> {
    const { store, record, note } = this.#options;
    const { fence } = record;
    const head = { fence, folded: { fence, entry: this.#last }, ...(moved === undefined ? {} : { moved }) };
    const bytes = stateObjectBytes({ head, text });
    const done = ({ version }: SettledSwap): void => {
      this.#object = { bytes, version };
      this.#hasWritten = true;
      this.#isAside = false;
      this.#serial = serial;
      note({ state: { serial, digest: storedDigest(bytes) } });
    };
    this.#pending = { swap: this.#swapOf(objectNames.state, this.#object?.version, bytes), done };
    await this.finish();
    const names = this.#toRemove.map(entryName);
    this.#toRemove = [];
    if (names.length > 0) await store.remove(names).catch(() => undefined);
  }

  /** Whether all that this run has recorded is in the state. */
  get isFolded(): boolean {
    return this.#hasTakenOver && this.#toRemove.length === 0 && this.#pending === undefined;
  }

  async #keepBackup(now: Date): Promise<void> {
    const { store, record } = this.#options;
    if (this.#hasBackup || this.#object === undefined) return;
    // An earlier run that ended here, or an earlier try of this one, may have kept the same state at the same time by its clock.
    const name = `${objectNames.backups}${timeInName(now)}.${this.#serial}.${++this.#backups}.${record.fence}`;
    const listed = store.list(objectNames.backups);
    listed.catch(() => undefined);
    // Whatever becomes of the list: a copy that is still under way would go on after the lease is given back.
    await this.#copy(this.#object, name);
    this.#hasBackup = true;
    const old = [...new Set([...(await listed), name])].sort().reverse().slice(keptBackups);
    if (old.length > 0) await store.remove(old).catch(() => undefined);
  }

  async #copy({ bytes: given }: StoredObject, name: string): Promise<void> {
    // A state is text that ends with a line break: what follows makes the copy different from all others.
    const bytes = Buffer.concat([given, Buffer.from(`${drawId()}\n`)]);
    await this.#settled(this.#swapOf(name, undefined, bytes));
  }

  #swapOf(name: string, expected: string | undefined, bytes: Uint8Array): PendingSwap {
    const { store, record } = this.#options;
    return pendingSwap(store, { name, expected, bytes, held: record.token });
  }

  async #settled(swap: PendingSwap): Promise<SettledSwap> {
    const swapped = await this.#beforeKilled(swap(this.#patience()));
    this.#isCutOff = false;
    if (swapped !== undefined) return swapped;
    if (!this.#hasTakenOver && (await this.#hasLease())) {
      // It was not made, and what is there now has no backup.
      this.#pending = undefined;
      this.#hasBackup = false;
      throw new StateWrittenMeanwhile(this.#options.store);
    }
    this.#options.window.lose();
    throw lockLost();
  }

  async #hasLease(): Promise<boolean> {
    const { store, record } = this.#options;
    return (await storedLease(store, true))?.record.token === record.token;
  }

  /** What a run that is cancelled cannot record in time is at least named before the run is killed. */
  async #beforeKilled<T>(work: Promise<T>): Promise<T> {
    const { store, time, signal } = this.#options;
    if (signal === undefined) return work;
    const over = new AbortController();
    const late = async (): Promise<never> => {
      if (!signal.aborted) await once(signal, 'abort', { signal: over.signal });
      if (!this.#isCutOff) await time.sleep(cancelledMs, over.signal);
      this.#isCutOff = true;
      throw unsettled(store, new Error('the store did not respond before the run was cancelled'));
    };
    try {
      return await Promise.race([work, late()]);
    } finally {
      over.abort();
      work.catch(() => undefined);
    }
  }

  /** As long as an outage may last, once: a store may accept heartbeats and nothing else, as when its disk is full. */
  #patience(): SwapPatience {
    const { time, window } = this.#options;
    const began = time.now();
    return {
      time,
      mayGoOn: () => {
        this.#isCutOff ||= longestSince(began, time.now()) >= window.outageMs;
        return !this.#isCutOff && (window.state === 'open' || window.state === 'closed');
      },
    };
  }

  #seals(): SwapPatience & { readonly token: string } {
    return { ...this.#patience(), token: this.#options.record.token };
  }
}
