import type { Io } from './io.ts';

/** Asks the person at the terminal whether to go on: a plain yes is one. Ctrl-C at the question is none. */
export async function isAgreed({ ask, signal }: Pick<Io, 'ask' | 'signal'>, question: string): Promise<boolean> {
  try {
    return /^y(es)?$/i.test((await ask(`${question} Only yes goes on: `)).trim());
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
