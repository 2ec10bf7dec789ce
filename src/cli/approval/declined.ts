import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { isAgreed } from './is-agreed.ts';

/** Asks, unless that was approved in advance; returns the exit code if it was declined, or undefined to continue. */
export async function declined(
  { io, log }: Context,
  { autoApprove }: { readonly autoApprove?: boolean },
  question: string,
  whenDeclined: string,
): Promise<number | undefined> {
  if (autoApprove === true || (await isAgreed(io, question))) return undefined;
  log('error', whenDeclined);
  return io.signal.aborted ? exitCodes.interrupted : exitCodes.failed;
}
