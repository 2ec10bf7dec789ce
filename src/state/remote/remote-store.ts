/** One value of a store, and the version by which a swap refers to it. */
export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly version: string;
}

/** What came of a swap. `again`: it was not carried out, and may be the next time; the cause is known where the store says it. `unknown`: it may have been carried out, or may still be. */
export type SwapResult =
  | { readonly is: 'done'; readonly version: string }
  | { readonly is: 'conflict' }
  | { readonly is: 'again'; readonly cause?: unknown }
  | { readonly is: 'unknown'; readonly cause: unknown };

/**
 * A store that several machines share, with one operation that decides races: `swap`. No swap is repeated here.
 * No two swaps write equal bytes, so whoever reads its own bytes knows that its swap was carried out.
 */
export interface RemoteStore {
  /** For messages, without credentials. */
  readonly location: string;
  /** Undefined only where there certainly is nothing; a refusal or an outage is an error. */
  readonly read: (name: string) => Promise<StoredObject | undefined>;
  /**
   * Replaces the value if its version is the expected one; undefined: if there is none. Where the store can, it also
   * requires, in the same step, that the lease still carries the token `held`. Rejects where nothing was written for certain.
   */
  readonly swap: (name: string, expected: string | undefined, bytes: Uint8Array, held?: string) => Promise<SwapResult>;
  /** Only names of the form of `isObjectName`. May lag behind: nothing may depend on it. */
  readonly list: (prefix: string) => Promise<readonly string[]>;
  /** Best effort: only for what may stay without harm. */
  readonly remove: (names: readonly string[]) => Promise<void>;
  /** Before the first write: makes what the store needs, and throws where its settings could lose a confirmed write. */
  readonly prepare: () => Promise<void>;
  /** Changes when the store may have lost writes that it had confirmed, as when a replica was promoted. */
  readonly timeline: () => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Whether a text has the form of a name. Whoever may write to a store may name anything, also so that a URL leads to the object of another stack. */
export function isObjectName(text: string): boolean {
  return text.split('/').every((part) => /^[A-Za-z0-9._-]+$/.test(part) && part !== '.' && part !== '..');
}

/** The names of objects. */
export const objectNames = {
  lease: 'lease',
  state: 'state',
  probe: 'probe',
  /** Of a probe, while it runs. */
  probing: 'probing/',
  journal: 'journal/',
  backups: 'backups/',
  documents: 'documents/',
  runs: 'runs/',
} as const;
