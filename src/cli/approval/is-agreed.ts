import type { Io } from '../io.ts';

/** Asks for approval at the terminal: only the whole word yes is accepted. Ctrl-C at the prompt counts as no. */
export async function isAgreed({ ask, signal }: Pick<Io, 'ask' | 'signal'>, question: string): Promise<boolean> {
  try {
    return (await ask(`${question} Only "yes" will be accepted: `)) === 'yes';
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
