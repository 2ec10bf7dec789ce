/*
 * What a stack remembers is its state and the journal entries after it. Entries are named by the fence of their run and
 * counted up from 1, and each is made only if it is absent, so the first name without an entry is the end of a journal.
 * Who takes the lease over writes a seal there: from then on the run before can add nothing, whatever time its clock shows.
 */
import { Refused } from '../../diagnostics/errors.ts';
import { inSlices, type Pause } from '../../model/sliced.ts';
import { changeState } from '../../model/state-change.ts';
import type { State } from '../../model/state.ts';
import { stateInSteps, withHint } from '../document.ts';
import { runAgain } from '../lock-hint.ts';
import { movedAway } from '../moved-away.ts';
import { entryIn, entryName, sealBytes, type JournalPosition } from './journal-entry.ts';
import { type LeaseRecord, lockLost } from './lease-record.ts';
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
  /** The entries that were added to it. */
  readonly entries: readonly JournalPosition[];
}

/** How far to read, and what to seal. */
export interface StoredStateOptions {
  readonly lease: Pick<LeaseRecord, 'state' | 'folded_through'>;
  /** The last fence whose journal counts. */
  readonly upTo: number;
  /** For a run that has the lease: the journals of all fences before its own are sealed. */
  readonly seals?: SwapPatience & { readonly token: string };
  /** Whether a state that was moved away counts as absent, and is no error. */
  readonly mayBeMoved?: boolean;
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
      throw new Refused('STATE_CHANGING', `the state in ${store.location} changes while it is read`, runAgain);
  }
}

const mostAttempts = 10;

/** The state with the journals after it, each up to its end; those of earlier runs are sealed there. */
async function walked(
  store: RemoteStore,
  object: StoredObject | undefined,
  options: StoredStateOptions,
): Promise<StoredState> {
  const { folded, ...opened } = await openState(store, object, options);
  const { folded_through: through } = options.lease;
  let { state } = opened;
  const entries: JournalPosition[] = [];
  // After the last entry that is in the state, or after the fences that ended in order.
  let at = through >= folded.fence ? firstOf(through + 1) : after(folded);
  while (at.fence <= options.upTo) {
    const bytes = (await store.read(entryName(at)))?.bytes ?? (await sealed(store, at, options));
    const read = bytes && entryIn(bytes, at);
    if (read === undefined || 'sealedBy' in read) {
      at = firstOf(at.fence + 1);
      continue;
    }
    if (state === undefined)
      throw new Refused('STATE_LOST', `the journal in ${store.location} does not match any state in the store`, {
        hint: 'run `sluice state rebuild` to rebuild the state from the ownership markers',
      });
    state = { ...changeState(state, read.change), serial: read.serial };
    entries.push(at);
    at = after(at);
  }
  return { state, object, fence: opened.fence, entries };
}

function firstOf(fence: number): JournalPosition {
  return { fence, entry: 1 };
}

function after({ fence, entry }: JournalPosition): JournalPosition {
  return { fence, entry: entry + 1 };
}

/** Seals a journal at its end. An entry that was written there meanwhile is answered instead. */
async function sealed(
  store: RemoteStore,
  at: JournalPosition,
  { seals, upTo }: Pick<StoredStateOptions, 'seals' | 'upTo'>,
): Promise<Uint8Array | undefined> {
  if (seals === undefined || at.fence === upTo) return undefined;
  const name = entryName(at);
  const bytes = sealBytes(at, upTo);
  if ((await settledSwap(store, { name, expected: undefined, bytes, held: seals.token }, seals)) !== undefined)
    return bytes;
  const found = await store.read(name);
  if (found === undefined) throw lockLost();
  return found.bytes;
}

async function openState(
  store: RemoteStore,
  object: StoredObject | undefined,
  { lease, mayBeMoved, pause }: Pick<StoredStateOptions, 'lease' | 'mayBeMoved' | 'pause'>,
): Promise<Pick<StoredState, 'state' | 'fence'> & { readonly folded: JournalPosition }> {
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
    throw withHint(store.location, error, await rebuildHint(store));
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

async function rebuildHint(store: RemoteStore): Promise<string> {
  const [newest] = (await store.list(objectNames.backups).catch(() => [])).slice().sort().reverse();
  const backup = newest === undefined ? 'there is no backup' : `the newest backup is ${newest}`;
  return `${backup}; run \`sluice state rebuild\` to rebuild the state from the ownership markers`;
}

/** Seals the journals of earlier runs without reading them: for a state that is made again. */
export async function sealJournals(
  store: RemoteStore,
  options: Required<Pick<StoredStateOptions, 'lease' | 'upTo' | 'seals'>>,
): Promise<void> {
  let at = firstOf(options.lease.folded_through + 1);
  while (at.fence < options.upTo) {
    const found = (await store.read(entryName(at)))?.bytes ?? (await sealed(store, at, options));
    at = found === undefined || isSeal(found, at) ? firstOf(at.fence + 1) : after(at);
  }
}

function isSeal(bytes: Uint8Array, at: JournalPosition): boolean {
  try {
    return 'sealedBy' in entryIn(bytes, at);
  } catch {
    return false;
  }
}
