import { constants, fstatSync, type Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isInside, realTarget } from './real-path.ts';
import { replaceFile } from './replace-file.ts';

/**
 * Writes a text to a path that a person named. A file is replaced as a whole, where links lead to one the file at their
 * end; a pipe or character device is written to; anything else stays as it is, which is an error. A link in a checkout may
 * be a stranger's, so a file at the end of one must be in the same directory or below it. Answers what was written.
 */
export async function writeOutput(path: string, text: string, mode = 0o600): Promise<'file' | 'stream'> {
  const found = await stat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  if (found?.isFIFO() === true || found?.isCharacterDevice() === true) {
    await writeInto(path, text);
    return 'stream';
  }
  if (found !== undefined) mustBeReplaceable(found);
  const real = realTarget(path);
  if (real === undefined) throw new Error('the path is a broken link');
  const directory = dirname(path);
  if (!isInside(real, realTarget(directory) ?? directory))
    throw new Error('the path is a link to a file in another directory');
  await replaceFile(real, text, { mode });
  return 'file';
}

function mustBeReplaceable(found: Stats): void {
  if (found.isDirectory()) throw new Error('the path is a directory');
  if (found.isSocket()) throw new Error('the path is a socket');
  if (found.isBlockDevice()) throw new Error('the path is a block device');
  // What else the command prints would be lost with the file that is replaced.
  if ([1, 2].some((output) => isOpenAs(output, found)))
    throw new Error('the standard output or standard error of this command is redirected to the same file');
}

function isOpenAs(descriptor: number, { dev, ino }: Stats): boolean {
  try {
    const open = fstatSync(descriptor);
    return open.dev === dev && open.ino === ino;
  } catch {
    // Closed.
    return false;
  }
}

async function writeInto(path: string, text: string): Promise<void> {
  // A pipe without a reader would be waited for.
  const probe = await openThere(path, constants.O_NONBLOCK);
  try {
    const file = await openThere(path, 0);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  } finally {
    await probe.close();
  }
}

async function openThere(path: string, flags: number): Promise<FileHandle> {
  try {
    return await open(path, constants.O_WRONLY | constants.O_NOCTTY | flags);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') throw new Error('no process reads from the pipe');
    throw error;
  }
}
