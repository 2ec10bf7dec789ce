import { constants, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { giveToDirectory } from './give-to-directory.ts';

/** Makes a directory for files that a stack keeps, and those above it; each new one belongs to the owner of its parent. */
export async function makeKeptDirectory(path: string): Promise<void> {
  if (await isThere(path)) return;
  const parent = dirname(path);
  await makeKeptDirectory(parent);
  try {
    await mkdir(path, 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    await giveToDirectory(directory, parent);
  } finally {
    await directory.close();
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
