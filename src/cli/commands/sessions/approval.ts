import type { Context } from '../../context.ts';
import { declined } from '../../approval/declined.ts';

/** Flags of commands that ask for approval. */
export interface PromptFlags {
  readonly autoApprove?: boolean;
  /** The other spelling. */
  readonly yes?: boolean;
}

/** Asks for approval; returns the exit code if it was declined, or undefined to continue. */
export function declinedToSend(context: Context, flags: PromptFlags, question: string): Promise<number | undefined> {
  return declined(context, flags, `\n${question}`, 'Not approved. Nothing was sent.');
}
