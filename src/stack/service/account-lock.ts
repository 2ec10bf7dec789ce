import { dirname } from 'node:path';
import { systemReason, writeHint } from '../../diagnostics/system-reason.ts';
import { makeKeptDirectory } from '../../files/make-kept-directory.ts';
import { place, withdraw, type Occupant } from '../../state/file/lock-file.ts';
import { lockOf } from '../../state/lock.ts';
import { holderText, newLease, type Lease } from '../../state/lease/lease.ts';
import { isGone } from '../../files/process-identity.ts';
import { UsageError } from '../usage-error.ts';

/** Locks the account file of an emulator until the returned function is called: two processes would overwrite each other's changes. */
export async function lockAccount(path: string): Promise<() => Promise<void>> {
  const lease = newLease('sluice emulator', new Date());
  const lockPath = lockOf(path);
  const other = await placed(lockPath, lease).catch((error: unknown) => {
    throw new UsageError(`cannot write ${lockPath}: ${systemReason(error)}`, writeHint(error));
  });
  if (other === undefined) return () => withdraw(lockPath, lease);
  throw new UsageError(
    `${path} is used by ${other.lease === undefined ? 'another process' : holderText(other.lease, other.lease.started)}`,
    `stop that process, or choose another --data file; if that process no longer runs, delete ${lockPath}`,
  );
}

async function placed(lockPath: string, lease: Lease): Promise<Occupant | undefined> {
  await makeKeptDirectory(dirname(lockPath));
  return place(lockPath, lease, (found) => found.lease !== undefined && isGone(found.lease) === true);
}
