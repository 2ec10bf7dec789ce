import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { writerOf } from '../../files/replace-file.ts';
import { isProcessAlive } from '../is-alive.ts';

/** Removes from a directory what killed processes of this machine were writing there to put it in the place of a file; of one file, where its name is given. What cannot be removed stays. */
export async function removeLeftovers(dir: string, file?: string): Promise<void> {
  for (const name of await readdir(dir).catch(() => [])) {
    const writer = file === undefined || name.startsWith(`${file}.`) ? writerOf(name) : undefined;
    if (writer?.host === hostname() && !isProcessAlive(writer.pid))
      await rm(join(dir, name), { force: true }).catch(() => undefined);
  }
}
