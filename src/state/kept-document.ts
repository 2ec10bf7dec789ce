import type { FileText } from '../files/safe-file.ts';

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
