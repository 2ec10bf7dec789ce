import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { isAgreed } from '../../is-agreed.ts';
import { UsageError } from '../../../stack/usage-error.ts';

/** Flags of commands that ask before they reach many agents. */
export interface YesFlags {
  readonly yes?: boolean;
}

/** Refuses to begin where nobody could be asked and nobody has said yes beforehand. */
export function requirePrompt({ canAsk }: Context, { yes }: YesFlags): void {
  if (yes === true || canAsk) return;
  throw new UsageError('there is no terminal to ask on', 'say --yes when it may be done unasked');
}

/** Asks; answers the exit code to end with, or undefined to go on. */
export async function declined({ io, log }: Context, { yes }: YesFlags, question: string): Promise<number | undefined> {
  if (yes === true || (await isAgreed(io, `\n${question}`))) return undefined;
  log('error', 'Not approved. Nothing was sent.');
  return io.signal.aborted ? exitCodes.interrupted : exitCodes.failed;
}
