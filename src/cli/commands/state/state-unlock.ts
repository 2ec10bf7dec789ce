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

/** Takes the lock away from a run that a person knows to be dead. Should it live, it stops before its next request. */
export async function unlockState(context: Context, { yes }: { readonly yes?: boolean }): Promise<number> {
  const { dir, settings } = await readStackConfig(context);
  const path = lockOf(resolve(dir, settings.state.path));
  if (!(await isThere(path))) return tell(context, undefined, 'Nobody holds the lock.');
  const lease = leaseAt(path);
  const holder = lease === undefined ? `something that is no lock of this sluice (${path})` : holderText(lease);
  if (yes !== true && !(await isSure(context, holder))) {
    context.log('error', 'Left as it is.');
    return context.io.signal.aborted ? exitCodes.interrupted : exitCodes.failed;
  }
  if (lease === undefined) await rm(path, { force: true });
  else await (await acquireLock(path, 'sluice state unlock', { declaredDead: lease.token })).release();
  return tell(context, holder, `Unlocked. It was held by ${holder}.`);
}

async function isSure({ canAsk, io }: Context, holder: string): Promise<boolean> {
  if (!canAsk)
    throw new UsageError(
      `the lock is held by ${holder}, and there is no terminal to ask`,
      'say --yes when it is gone for certain',
    );
  return isAgreed(io, `The lock is held by ${holder}.\nIs it gone for certain?`);
}

function tell(context: Context, holder: string | undefined, text: string): number {
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
