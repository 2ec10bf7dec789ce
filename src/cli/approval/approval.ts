import { UsageError } from '../../stack/usage-error.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import type { Io } from '../io.ts';

/** Throws if approval is required and nobody can be asked. */
export function requireApproval({ canAsk }: Context, { autoApprove }: { readonly autoApprove?: boolean }): void {
  if (autoApprove === true || canAsk) return;
  throw new UsageError(
    'approval is required, but there is no terminal to ask for it',
    'pass --auto-approve to skip the question',
  );
}

/** Asks, unless that was approved in advance; returns the exit code if it was declined, or undefined to continue. Throws if nobody can be asked. */
export async function declined(
  context: Context,
  flags: { readonly autoApprove?: boolean },
  question: string,
  whenDeclined: string,
): Promise<number | undefined> {
  requireApproval(context, flags);
  const { io, log } = context;
  if (flags.autoApprove === true || (await isAgreed(io, question))) return undefined;
  log('error', whenDeclined);
  return io.signal.aborted ? exitCodes.interrupted : exitCodes.failed;
}

/** Asks for approval at the terminal: only the whole word yes is accepted. Ctrl-C at the prompt counts as no. */
export async function isAgreed({ ask, signal }: Pick<Io, 'ask' | 'signal'>, question: string): Promise<boolean> {
  try {
    return (await ask(`${question} Only "yes" will be accepted: `)) === 'yes';
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
