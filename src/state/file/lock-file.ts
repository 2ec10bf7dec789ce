/*
 * The files of a lock. They are made by link() and moved by rename() alone, which are atomic on network file systems as
 * well, and the content of a name is its holder.
 *
 *   lock             the lease in force, T
 *   lock.after-T     the lease that takes over from T once T is dead: only one run can create that name
 *   lock.after-T.after-U, and so on, should U die while it takes over
 *
 * Who has made `lock.after-T` moves it to `lock`, if T is still there, and looks whose lease is there then. If it died
 * before, the one that follows it does the same with its own. So of any number that find a dead lease, one ends up in force.
 */
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { giveToDirectory } from '../../files/give-to-directory.ts';
import { readSafely } from '../../files/safe-file.ts';
import { readLease, type Lease } from '../lease/lease.ts';
import { leaseText } from './lock-heartbeat.ts';
import { unreadableFile } from './unreadable-file.ts';

/** Why a lock cannot be acquired. */
export interface Occupant {
  /** Undefined for a file that is no lease. */
  readonly lease: Lease | undefined;
  /** How long ago it last gave a sign, in milliseconds by the clock of the file system. */
  readonly quiet: number;
}

/** Whether an occupant no longer counts. */
export type IsDead = (occupant: Occupant) => boolean;

/** Writes a lease to a path, or returns the current holder. */
export async function place(path: string, lease: Lease, isDead: IsDead): Promise<Occupant | undefined> {
  const own = `${path}.by-${lease.token}`;
  await writeDurably(own, leaseText(lease));
  try {
    const other = await resolveContention(path, own, lease, isDead);
    // What others left there is no reason to give up a lock that is taken.
    if (other === undefined) await removeLeftovers(path, isDead).catch(() => undefined);
    return other;
  } finally {
    await rm(own, { force: true });
  }
}

/** Gives a lease back; one that somebody else has taken over meanwhile is left alone. */
export async function withdraw(path: string, { token }: Lease): Promise<void> {
  const after = successorOf(path, token);
  if (!(await linked(path, after))) return;
  // Nobody can take over from this lease now, so what is at the path stays until it is removed here.
  if (leaseAt(after)?.token === token) await rm(path, { force: true });
  await rm(after, { force: true });
}

/** What is at the path of a lock, undefined where nothing is: its lease, or something else. What cannot be read may be a lease. */
export function holderAt(path: string): Pick<Occupant, 'lease'> | undefined {
  const read = readSafely(path);
  if ('text' in read) return { lease: readLease(read.text) };
  if (read.code === 'FILE_NOT_FOUND') return undefined;
  if (read.code === 'FILE_UNREADABLE') throw unreadableFile('LOCK_UNREADABLE', path, read);
  return { lease: undefined };
}

function leaseAt(path: string): Lease | undefined {
  return holderAt(path)?.lease;
}

async function resolveContention(
  path: string,
  own: string,
  lease: Lease,
  isDead: IsDead,
): Promise<Occupant | undefined> {
  for (let attempt = 0; attempt < 8; attempt++) {
    if (await linked(own, path)) return undefined;
    const occupant = await occupantOf(path, own);
    if (occupant === undefined) continue;
    if (!isDead(occupant) || occupant.lease === undefined) return occupant;
    const after = successorOf(path, occupant.lease.token);
    const other = await resolveContention(after, own, lease, isDead);
    if (other !== undefined) return other;
    // Only who holds the name may replace the dead lease; it may have been replaced before the name was free.
    if (leaseAt(path)?.token === occupant.lease.token)
      await rename(after, path).catch((error: unknown) => mustBe(error, 'ENOENT'));
    else await rm(after, { force: true });
    if (leaseAt(path)?.token === lease.token) return undefined;
  }
  return occupantOf(path, own);
}

/** Creates a hard link if its name is free. On network file systems the response may be lost; the link count shows the result. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    if (noLinks.has(code)) return copied(from, to);
    if (code !== 'EEXIST') throw error;
    const [one, other] = await Promise.all([stat(from), stat(to)].map((found) => found.catch(() => undefined)));
    return one !== undefined && one.nlink > 1 && one.ino === other?.ino && one.dev === other.dev;
  }
}

// Some file systems know no second names.
const noLinks = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

async function copied(from: string, to: string): Promise<boolean> {
  try {
    const read = readSafely(from);
    if (!('text' in read)) return false;
    await writeDurably(to, read.text);
    return true;
  } catch (error) {
    mustBe(error, 'EEXIST');
    return false;
  }
}

// A file just written and one written long ago have their times from one clock, that of the file system.
async function occupantOf(path: string, own: string): Promise<Occupant | undefined> {
  try {
    const [there, now] = await Promise.all([stat(path), stat(own)]);
    const read = readSafely(path);
    if (!('text' in read)) {
      if (read.code === 'FILE_NOT_FOUND') return undefined;
      throw new Error(`the lock file ${read.message}`);
    }
    return { lease: readLease(read.text), quiet: now.mtimeMs - there.mtimeMs };
  } catch (error) {
    mustBe(error, 'ENOENT');
    return undefined;
  }
}

/** What others were about to take the lock with when they died. */
async function removeLeftovers(path: string, isDead: IsDead): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    if (!/\.(by|after)-[0-9a-f]{16}$/.test(name) || !name.startsWith(`${basename(path)}.`)) continue;
    const left = join(dirname(path), name);
    const occupant = await occupantOf(left, path);
    if (occupant !== undefined && isDead(occupant)) await rm(left, { force: true });
  }
}

function successorOf(path: string, token: string): string {
  return `${path}.after-${token}`;
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await giveToDirectory(file, dirname(path));
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    // An empty lock would be nobody's, and stay. Why it is empty is what matters, also where it stays.
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

function mustBe(error: unknown, code: string): void {
  if ((error as NodeJS.ErrnoException).code !== code) throw error;
}
