import type { Lock, LockOptions } from './lock.ts';
import type { RunRecord } from './run-record.ts';
import type { BegunRun, EndRun } from './run-records.ts';
import type { ProbeStep } from './remote/probe-store.ts';
import type { StateStore, StateStoreOptions } from './store.ts';
import type { FileText } from '../files/safe-file.ts';

/** Documents stored beside the state: operator requests to a watch, and the state of the watch itself. */
export type DocumentName = 'watch-requests' | 'watch-state';

/** Who holds the lock of a stack. */
export interface LockHolder {
  /** As text; undefined if the lock does not contain it. */
  readonly text: string | undefined;
  /** Whether it certainly runs no more, so that the next run takes the lock over; undefined where only its own machine knows. */
  readonly hasEnded?: boolean | undefined;
  /** Releases the lock of this holder, and of no other. A shared store waits until the holder must have stopped, unless the options exclude that. */
  readonly release: (options?: { readonly now?: boolean }) => Promise<void>;
}

/** Everything that a stack stores between two runs, wherever it is stored. */
export interface Backend {
  /** Where the state is, for messages: a path, or an address without credentials. */
  readonly location: string;
  /** How long one write to the service may take, so that it has ended when another run takes the lock over. */
  readonly writeDeadlineMs?: number;
  /** Takes the lock of the stack, or throws an error that names its holder. */
  readonly acquireLock: (command: string, options?: LockOptions) => Promise<Lock>;
  readonly lockHolder: () => Promise<LockHolder | undefined>;
  /** The state, as this run reads and writes it. Only a run with the lock may write. */
  readonly stateStore: (options: StateStoreOptions, lock?: Lock) => StateStore;
  /** Moves a state that cannot be read out of the way, and returns where a person finds it. */
  readonly setAside: (now: Date) => Promise<string>;
  /** Once the state has been copied: leaves in its place where it is now. Only with the lock. */
  readonly moveAway: (to: string, options: StateStoreOptions) => Promise<void>;
  /** Throws where the state was moved away: what is kept beside it is not read there any more. A state that cannot be read is no matter of this. */
  readonly mustBeHere: () => Promise<void>;
  /** Removes everything but the lock, which it takes itself; throws if there are resources in the state. */
  readonly removeAll: (options: StateStoreOptions, lock: LockOptions) => Promise<void>;
  /** Records what a run sets out to do, and returns how to record its end; only with the lock, and undefined without one. */
  readonly beginRun: (begun: BegunRun) => Promise<EndRun | undefined>;
  /** The latest runs, newest first: at most so many. */
  readonly runs: (count: number) => Promise<readonly RunRecord[]>;
  /** Tests whether the storage can be used as a lock; undefined for files. */
  readonly probe?: () => Promise<readonly ProbeStep[]>;
  readonly document: (name: DocumentName) => KeptDocument;
  /** Where a watch listens for commands of its machine, beside its state; undefined: the state is not on this machine. */
  readonly socketPath?: string;
  readonly close: () => Promise<void>;
}

/** A small text that is kept beside the state and that several processes may change. */
export interface KeptDocument {
  /** Where it is, for messages. */
  readonly location: string;
  /** The text, or why it could not be read: `FILE_NOT_FOUND` where there is none. */
  readonly read: () => Promise<FileText>;
  /** Replaces it by what follows from it. Called again with the newer text where another process was faster. */
  readonly update: (change: (before: FileText) => string) => Promise<void>;
  /** The same text while neither the document nor who may read it changes. */
  readonly version: () => Promise<string>;
  /** How often the version may be asked for, in milliseconds. */
  readonly pollMs: number;
}
