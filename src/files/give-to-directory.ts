import type { Stats } from 'node:fs';
import { stat, type FileHandle } from 'node:fs/promises';

/**
 * Gives a new file of a stack to the owner and group of its directory, so that root and a daemon of another user can
 * read what either leaves behind: for the owner alone, or for the group as well where the group may write in the
 * directory. Nothing changes in a directory that everybody may write in. Works on the open file, so no link is followed.
 */
export async function giveToDirectory(file: FileHandle, directory: string): Promise<void> {
  const [own, place] = await Promise.all([file.stat(), stat(directory)]);
  if ((place.mode & 0o002) !== 0) return;
  const gid = await chowned(file, own, place);
  const isShared = (place.mode & 0o020) !== 0 && gid === place.gid;
  const owner = own.isDirectory() ? 0o700 : 0o600;
  await file.chmod(isShared ? owner | (owner >> 3) : owner);
}

/** Answers the group that the file has then. Only root gives files away; others can give them to groups of their own. */
async function chowned(file: FileHandle, own: Stats, { uid, gid }: Stats): Promise<number> {
  if (own.uid === uid && own.gid === gid) return gid;
  for (const owner of [uid, own.uid]) {
    try {
      await file.chown(owner, gid);
      return gid;
    } catch {
      // Not allowed here, or the file system has no owners: the file stays as it was made.
    }
  }
  return own.gid;
}
