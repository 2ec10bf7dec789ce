import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeftover } from '../../files/replace-file.ts';

/** Removes from a directory what killed processes of this machine were writing there to put it in the place of a file; of one file, where its name is given. What cannot be removed stays. */
export async function removeLeftovers(dir: string, file?: string): Promise<void> {
  for (const name of await readdir(dir).catch(() => []))
    if ((file === undefined || name.startsWith(`${file}.`)) && isLeftover(name))
      await rm(join(dir, name), { force: true }).catch(() => undefined);
}
