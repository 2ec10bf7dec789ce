import { constants, open, type FileHandle } from 'node:fs/promises';
import type { Lease } from '../lease/lease.ts';
import type { LeaseTime } from '../lease/lease-time.ts';
import type { LeaseWindow } from '../lease/lease-window.ts';

/** What a heartbeat of a lock needs. */
export interface LockHeartbeatOptions {
  readonly file: FileHandle;
  readonly lease: Lease;
  /** Whether a lock that was not renewed for the lease duration is lost. */
  readonly lapses: boolean;
  readonly window: LeaseWindow;
  readonly time: Pick<LeaseTime, 'now'>;
}

/** Opens the file of a lock; undefined if the lock is another run's. */
export async function openOwnLock(path: string, { token }: Lease): Promise<FileHandle | undefined> {
  const file = await open(path, constants.O_RDWR | constants.O_NONBLOCK);
  if ((await file.readFile('utf8')).includes(token)) return file;
  await file.close();
  return undefined;
}

/** Sends one heartbeat of a lock at each call: into the open file, so if another file has replaced it, it has no effect. */
export function lockHeartbeat({ file, lease, lapses, window, time }: LockHeartbeatOptions): () => Promise<void> {
  let isWriting = false;
  return async () => {
    if (isWriting || window.isAbandoned) return;
    // Before the window is read: a process that is suspended in between does not renew what has lapsed.
    const sentAt = time.now();
    if (lapses && window.state !== 'open') window.lose();
    if (window.state === 'lost') return;
    isWriting = true;
    try {
      await file.write(leaseText({ ...lease, heartbeat: new Date(sentAt.wall).toISOString() }), 0);
      await file.datasync();
      window.confirm(sentAt);
    } catch {
      // What cannot be written now may be written in time by the next one.
    } finally {
      isWriting = false;
    }
  };
}

/** The text of a lock file. The heartbeat is as long at any time, so that it can be renewed in place. */
export function leaseText(given: Lease): string {
  return `${JSON.stringify(given)}\n`;
}
