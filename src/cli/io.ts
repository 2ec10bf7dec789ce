import type { Dispatcher } from 'undici';
import type { Clock } from '../api/clock.ts';

/** The world a command runs in: what `main` takes from the process, and a test makes up. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Results. */
  readonly out: (text: string) => void;
  /** Everything else. */
  readonly err: (text: string) => void;
  readonly stdin: () => Promise<Buffer>;
  /** Which of the three streams are terminals, and how wide. */
  readonly terminal: { readonly in: boolean; readonly out: boolean; readonly err: boolean; readonly columns?: number };
  /** Asks the person at the terminal one question. */
  readonly ask: (question: string) => Promise<string>;
  /** What requests travel by, where that is not the network of this machine. */
  readonly network?: Dispatcher;
  /** Time, where it is not that of the clock on the wall. */
  readonly clock?: Clock;
  /** The time of day in milliseconds since 1970, where it is not that of this machine. */
  readonly now?: () => number;
  /** Aborted by Ctrl-C, and by the loss of the terminal. */
  readonly signal: AbortSignal;
  /** Does work that goes on when the terminal is lost. */
  readonly carryThrough?: <T>(work: () => Promise<T>) => Promise<T>;
}
