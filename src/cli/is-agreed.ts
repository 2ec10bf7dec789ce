import type { Io } from './io.ts';

/** Asks the person at the terminal whether to go on: only the whole word yes is accepted. Ctrl-C at the question is a no. */
export async function isAgreed({ ask, signal }: Pick<Io, 'ask' | 'signal'>, question: string): Promise<boolean> {
  try {
    return (await ask(`${question} Only "yes" will be accepted: `)).trim() === 'yes';
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
