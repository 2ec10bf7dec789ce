import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { withBackend } from '../../with-backend.ts';
import { isAgreed } from '../../approval/is-agreed.ts';
import { UsageError } from '../../../stack/usage-error.ts';

/** How to release a lock. */
export interface UnlockFlags {
  readonly autoApprove?: boolean;
  /** Do not wait until the run must have stopped. */
  readonly now?: boolean;
}

/** Releases the lock of a run that no longer exists. If that run is still active, it stops before its next request. */
export async function unlockState(context: Context, { autoApprove, now = false }: UnlockFlags): Promise<number> {
  return withBackend(context, async (backend) => {
    const found = await backend.lockHolder();
    if (found === undefined) return printUnlocked(context, undefined, 'The state is not locked.');
    const holder =
      found.text ??
      `an unknown process (${safeText(backend.location)}: its lock was written by another version of sluice)`;
    if (autoApprove !== true && !(await isConfirmed(context, holder))) {
      context.log('error', 'Not confirmed. The lock was not released.');
      return context.io.signal.aborted ? exitCodes.interrupted : exitCodes.failed;
    }
    if (!now && backend.writeDeadlineMs !== undefined)
      context.log('info', 'waiting until the other run can no longer write; --now skips the wait');
    await found.release({ now });
    return printUnlocked(context, holder, `Unlocked. The lock was held by ${holder}.`);
  });
}

async function isConfirmed({ canAsk, io }: Context, holder: string): Promise<boolean> {
  if (!canAsk)
    throw new UsageError(
      `the state is locked by ${holder}, but there is no terminal to ask for confirmation`,
      'make sure that the run that holds the lock no longer exists, then pass --auto-approve',
    );
  return isAgreed(io, `The state is locked by ${holder}.\nAre you sure that this run no longer exists?`);
}

function printUnlocked(context: Context, holder: string | undefined, text: string): number {
  context.result(
    () => `${text}\n`,
    () => ({ format_version: '1.0', unlocked: holder !== undefined, ...(holder === undefined ? {} : { holder }) }),
  );
  return exitCodes.done;
}
