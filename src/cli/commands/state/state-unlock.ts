import { rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { holderText } from '../../../state/lease.ts';
import { leaseAt } from '../../../state/lock-file.ts';
import { acquireLock, lockOf } from '../../../state/lock.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { isAgreed } from '../../is-agreed.ts';
import { readStackConfig } from '../../../stack/stack-config.ts';
import { UsageError } from '../../../stack/usage-error.ts';

/** Releases the lock of a run that no longer exists. If that run is still active, it stops before its next request. */
export async function unlockState(context: Context, { yes }: { readonly yes?: boolean }): Promise<number> {
  const { dir, settings } = await readStackConfig(context);
  const path = lockOf(resolve(dir, settings.state.path));
  if (!(await isThere(path))) return printUnlocked(context, undefined, 'The state is not locked.');
  const lease = leaseAt(path);
  const holder =
    lease === undefined
      ? `an unknown process (${path} is not a lock file of this version of sluice)`
      : holderText(lease);
  if (yes !== true && !(await isConfirmed(context, holder))) {
    context.log('error', 'Not confirmed. The lock was not released.');
    return context.io.signal.aborted ? exitCodes.interrupted : exitCodes.failed;
  }
  if (lease === undefined) await rm(path, { force: true });
  else await (await acquireLock(path, 'sluice state unlock', { declaredDead: lease.token })).release();
  return printUnlocked(context, holder, `Unlocked. The lock was held by ${holder}.`);
}

async function isConfirmed({ canAsk, io }: Context, holder: string): Promise<boolean> {
  if (!canAsk)
    throw new UsageError(
      `the state is locked by ${holder}, and there is no terminal to ask`,
      'make sure that this run no longer exists, then pass --yes',
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

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
