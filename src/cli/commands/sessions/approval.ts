import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { isAgreed } from '../../is-agreed.ts';
import { UsageError } from '../../../stack/usage-error.ts';

/** Flags of commands that ask for confirmation. */
export interface PromptFlags {
  readonly autoApprove?: boolean;
  /** The other spelling. */
  readonly yes?: boolean;
}

/** Throws if confirmation is required and nobody can be asked. */
export function requirePrompt({ canAsk }: Context, { autoApprove }: PromptFlags): void {
  if (autoApprove === true || canAsk) return;
  throw new UsageError(
    'confirmation is required, and there is no terminal to ask',
    'pass --auto-approve to skip confirmation',
  );
}

/** Asks for confirmation; returns the exit code if it was declined, or undefined to continue. */
export async function declined(
  { io, log }: Context,
  { autoApprove }: PromptFlags,
  question: string,
): Promise<number | undefined> {
  if (autoApprove === true || (await isAgreed(io, `\n${question}`))) return undefined;
  log('error', 'Not approved. Nothing was sent.');
  return io.signal.aborted ? exitCodes.interrupted : exitCodes.failed;
}
