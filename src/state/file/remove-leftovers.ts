import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeftover, stemOf } from '../../files/replace-file.ts';

const longestWriteMs = 24 * 3_600_000;

/**
 * Removes from a directory what killed processes were writing there to put it in the place of a file; of one file, where
 * its name is given. What was written before this machine started, or by another, is removed after a day. What cannot be
 * removed stays.
 */
export async function removeLeftovers(dir: string, file?: string): Promise<void> {
  for (const name of await readdir(dir).catch(() => [])) {
    if (file !== undefined && !name.startsWith(`${stemOf(file)}.`)) continue;
    const path = join(dir, name);
    if (isLeftover(name) ?? (await isOld(path))) await rm(path, { force: true }).catch(() => undefined);
  }
}

async function isOld(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > longestWriteMs;
}
