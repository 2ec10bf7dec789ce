/*
 * What a stack remembers is its state and the journal entries after it. Entries are named by the fence of their run and
 * counted up from 1, and each is made only if it is absent, so the first name without an entry is the end of a journal.
 * Who takes the lease over writes a seal there: from then on the run before can add nothing, whatever time its clock shows.
 */
import { Refused, StateError } from '../../diagnostics/errors.ts';
import { inSlices, type Pause } from '../../model/sliced.ts';
import { changeState } from '../../model/state-change.ts';
import type { State } from '../../model/state.ts';
import { stateInSteps } from '../document.ts';
import { movedAway } from '../moved-away.ts';
import { entryIn, entryName, sealBytes, type JournalPosition } from './journal-entry.ts';
import type { LeaseRecord } from './lease-record.ts';
import { lockLost } from './lock-lost.ts';
import { objectNames, type RemoteStore, type StoredObject } from './remote-store.ts';
import { isUnavailable, settledSwap, type SwapPatience } from './settled-swap.ts';
import { stateObjectIn, storedDigest } from './state-object.ts';

/** What a store holds for a stack: the state with all of the journal in it. */
export interface StoredState {
  /** Undefined where nothing was ever remembered. */
  readonly state: State | undefined;
  /** The state object as it is, without the journal. */
  readonly object: StoredObject | undefined;
  readonly fence: number;
  /** The last entry that is in the state. */
  readonly folded: JournalPosition;
  /** The entries that were added to it. */
  readonly entries: readonly JournalPosition[];
}

/** How far to read, and what to seal. */
export interface StoredStateOptions {
  /** The facts about the state in the lease. */
  readonly lease: Pick<LeaseRecord, 'state' | 'folded_through'>;
  /** The last fence whose journal counts. */
  readonly upTo: number;
  /** For a run that has the lease: the journals of all fences before its own are sealed. */
  readonly seals?: SwapPatience & { readonly token: string };
  /** Whether a state that was moved away counts as absent, and is no error. */
  readonly mayBeMoved?: boolean;
  /** Between the steps of reading the state; none where left out. */
  readonly pause?: Pause | undefined;
}

/** Reads what a store holds. A state that is gone, or older than recorded in the lease, is an error and never a first run. */
export async function readStored(store: RemoteStore, options: StoredStateOptions): Promise<StoredState> {
  for (let attempt = 0; ; attempt++) {
    const object = await store.read(objectNames.state);
    // Another run may have folded the journal into the state meanwhile, and removed it.
    const isSame = async (): Promise<boolean> => (await store.read(objectNames.state))?.version === object?.version;
    try {
      const found = await walked(store, object, options);
      // Whoever has the lease replaces this state, which shows it as well.
      if (options.seals !== undefined || (await isSame())) return found;
    } catch (error) {
      if (isUnavailable(error) || attempt === mostAttempts || (await isSame().catch(() => true))) throw error;
    }
    if (attempt === mostAttempts)
      throw new Refused('STATE_CHANGING', `the state in ${store.location} changes while it is read`, {
        hint: 'run the command again',
        hintInWatch: '',
      });
  }
}

const mostAttempts = 10;

async function walked(
  store: RemoteStore,
  object: StoredObject | undefined,
  options: StoredStateOptions,
): Promise<StoredState> {
  const found = await openState(store, object, options);
  const walk = new JournalWalk(store, found, options);
  for (let fence = walk.next.fence; fence <= options.upTo; fence++) await walk.through(fence);
  return walk.result(object);
}

type OpenedState = Pick<StoredState, 'state' | 'fence' | 'folded'>;

async function openState(
  store: RemoteStore,
  object: StoredObject | undefined,
  { lease, mayBeMoved, pause }: Pick<StoredStateOptions, 'lease' | 'mayBeMoved' | 'pause'>,
): Promise<OpenedState> {
  if (object === undefined) {
    if (lease.state !== null) throw await lostState(store, `the state in ${store.location} is missing`);
    return { state: undefined, fence: 0, folded: { fence: lease.folded_through, entry: 0 } };
  }
  const { head, text } = stateObjectIn(object.bytes, store.location);
  if (head.moved !== undefined) {
    if (mayBeMoved !== true) throw movedAway(store.location, head.moved);
    return { state: undefined, fence: head.fence, folded: head.folded };
  }
  const state = await inSlices(stateInSteps(text), pause).catch(async (error: unknown) => {
    throw await withPlace(store, error);
  });
  const isKnown = lease.state === null || storedDigest(object.bytes) === lease.state.digest;
  // The lease is written after the state: it may not know of the last one yet.
  if (!isKnown && state.serial <= (lease.state?.serial ?? 0))
    throw await lostState(
      store,
      `the state in ${store.location} has serial ${state.serial}, which is older than the last state that was written`,
    );
  return { state, fence: head.fence, folded: head.folded };
}

async function lostState(store: RemoteStore, message: string): Promise<Refused> {
  return new Refused('STATE_LOST', message, { hint: await rebuildHint(store) });
}

/** The error of a state that cannot be read, with its store. */
async function withPlace(store: RemoteStore, error: unknown): Promise<unknown> {
  if (!(error instanceof StateError)) return error;
  return new StateError(error.code, `${store.location}: ${error.message}`, {
    hint: error.hint ?? (await rebuildHint(store)),
    cause: error,
  });
}

async function rebuildHint(store: RemoteStore): Promise<string> {
  const [newest] = (await store.list(objectNames.backups).catch(() => [])).slice().sort().reverse();
  const backup = newest === undefined ? 'there is no backup' : `the newest backup is ${newest}`;
  return `${backup}; run \`sluice state rebuild\` to rebuild the state from the ownership markers`;
}

/** Seals the journals of earlier runs without reading them: for a state that is made again. */
export async function sealJournals(
  store: RemoteStore,
  { lease, upTo, seals }: Required<Omit<StoredStateOptions, 'mayBeMoved' | 'pause'>>,
): Promise<void> {
  for (let fence = lease.folded_through + 1; fence < upTo; fence++)
    for (let entry = 1; ; entry++) {
      const at = { fence, entry };
      const name = entryName(at);
      const found = (await store.read(name))?.bytes;
      if (found !== undefined && isSeal(found, at)) break;
      if (found !== undefined) continue;
      const bytes = sealBytes(at, upTo);
      if ((await settledSwap(store, { name, expected: undefined, bytes, held: seals.token }, seals)) !== undefined)
        break;
      entry -= 1;
    }
}

function isSeal(bytes: Uint8Array, at: JournalPosition): boolean {
  try {
    return 'sealedBy' in entryIn(bytes, at);
  } catch {
    return false;
  }
}

/** Goes through journals in order, and seals those of earlier runs. */
class JournalWalk {
  readonly #store: RemoteStore;
  readonly #options: StoredStateOptions;
  readonly #from: OpenedState;
  #state: State | undefined;
  #folded: JournalPosition;
  readonly #entries: JournalPosition[] = [];

  constructor(store: RemoteStore, from: OpenedState, options: StoredStateOptions) {
    this.#store = store;
    this.#options = options;
    this.#from = from;
    this.#state = from.state;
    this.#folded = from.folded;
  }

  /** Where to go on: after the last entry that is in the state, or after the fences that ended in order. */
  get next(): JournalPosition {
    const { fence, entry } = this.#folded;
    const { folded_through: through } = this.#options.lease;
    return through >= fence ? { fence: through + 1, entry: 1 } : { fence, entry: entry + 1 };
  }

  async through(fence: number): Promise<void> {
    const { next } = this;
    for (let entry = fence === next.fence ? next.entry : 1; ; entry++) {
      const at = { fence, entry };
      const bytes = (await this.#store.read(entryName(at)))?.bytes ?? (await this.#sealed(at));
      if (bytes === undefined) return;
      const read = entryIn(bytes, at);
      this.#folded = at;
      if ('sealedBy' in read) return;
      this.#entries.push(at);
      this.#state = { ...changeState(this.#before(), read.change), serial: read.serial };
    }
  }

  result(object: StoredObject | undefined): StoredState {
    return { state: this.#state, object, fence: this.#from.fence, folded: this.#folded, entries: this.#entries };
  }

  /** Seals a journal at its end. An entry that was written there meanwhile is answered instead. */
  async #sealed(at: JournalPosition): Promise<Uint8Array | undefined> {
    const { seals, upTo } = this.#options;
    if (seals === undefined || at.fence === upTo) return undefined;
    const bytes = sealBytes(at, upTo);
    const name = entryName(at);
    const swapped = await settledSwap(this.#store, { name, expected: undefined, bytes, held: seals.token }, seals);
    if (swapped !== undefined) return bytes;
    const found = await this.#store.read(name);
    if (found === undefined) throw lockLost();
    return found.bytes;
  }

  #before(): State {
    if (this.#state !== undefined) return this.#state;
    throw new Refused('STATE_LOST', `the journal in ${this.#store.location} does not match any state in the store`, {
      hint: 'run `sluice state rebuild` to rebuild the state from the ownership markers',
    });
  }
}
