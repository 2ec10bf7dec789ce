import type { Context } from '../../context.ts';
import { declined } from '../../declined.ts';
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
export function declinedToSend(context: Context, flags: PromptFlags, question: string): Promise<number | undefined> {
  return declined(context, flags, `\n${question}`, 'Not approved. Nothing was sent.');
}
