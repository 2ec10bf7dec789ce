import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a directory and those above it, one at a time. `onMade` is called for each new one, with its parent. Node's own
 * recursion never ends where a directory is there and nothing can be made in it because of its kind, as in `/proc`.
 */
export async function makeDirectory(
  path: string,
  mode = 0o777,
  onMade: (path: string, parent: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  if (await isThere(path)) return;
  const parent = dirname(path);
  await makeDirectory(parent, mode, onMade);
  try {
    await mkdir(path, mode);
  } catch (error) {
    // Made meanwhile, or no directory: then whatever is done in it fails, and says so.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  await onMade(path, parent);
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
