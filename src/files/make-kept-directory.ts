import { constants, open } from 'node:fs/promises';
import { giveToDirectory } from './give-to-directory.ts';
import { makeDirectory } from './make-directory.ts';

/** Makes a directory for files that a stack keeps, and those above it; each new one belongs to the owner of its parent. */
export function makeKeptDirectory(path: string): Promise<void> {
  return makeDirectory(path, 0o700, async (made, parent) => {
    const directory = await open(made, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      await giveToDirectory(directory, parent);
    } finally {
      await directory.close();
    }
  });
}
