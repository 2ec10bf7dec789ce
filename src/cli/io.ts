import type { Dispatcher } from 'undici';
import type { Clock } from '../api/clock.ts';

/** The process a command runs in; tests provide their own. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Results. */
  readonly out: (text: string) => void;
  /** Everything else. */
  readonly err: (text: string) => void;
  /** Standard input; no more is read than one file may have, or the given number of bytes. */
  readonly stdin: (most?: number) => Promise<Buffer>;
  /** Which of the three streams are terminals, and their width. */
  readonly terminal: { readonly in: boolean; readonly out: boolean; readonly err: boolean; readonly columns?: number };
  /** Asks the person at the terminal one question. */
  readonly ask: (question: string) => Promise<string>;
  /** Replaces the network in tests. */
  readonly network?: Dispatcher;
  /** Replaces the clock in tests. */
  readonly clock?: Clock;
  /** Replaces the time of day, in milliseconds since 1970, in tests. */
  readonly now?: () => number;
  /** Aborted by Ctrl-C and by the loss of the terminal. */
  readonly signal: AbortSignal;
  /** Runs work that continues when the terminal is lost. */
  readonly carryThrough?: <T>(work: () => Promise<T>) => Promise<T>;
}
