import type { StackContext } from '../stack/stack-context.ts';

type StackIo = StackContext['io'];

/** Whether a variable of the environment is set to something. */
export function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

/** The process a command runs in; tests provide their own. */
export interface Io extends StackIo {
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
  /** Runs work that continues when the terminal is lost. */
  readonly carryThrough?: <T>(work: () => Promise<T>) => Promise<T>;
}
