import { renameSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { giveToDirectory } from './give-to-directory.ts';
import { isMarkGone, ownMark } from './process-identity.ts';

/** How a file is replaced. */
export interface ReplaceOptions {
  readonly mayReplace?: (written: string) => Promise<void>;
  readonly mode?: number;
  /** Whether it is one of the files that a stack keeps. */
  readonly isKept?: boolean;
}

let written = 0;

/**
 * Puts a text in the place of a file so that at any moment, also after a crash or on a full disk, either the old or
 * the new content is there whole. Only the owner can read it, unless another mode is given; a file that a stack keeps
 * goes to the owner of its directory. `mayReplace` is asked last, with the path of the new file, and throws to leave all as it is.
 */
export async function replaceFile(
  path: string,
  text: string,
  { mayReplace, mode = 0o600, isKept = false }: ReplaceOptions = {},
): Promise<void> {
  const temporary = join(dirname(path), `${stemOf(basename(path))}.tmp-${ownMark()}-${++written}`);
  try {
    await writeWhole(temporary, text, isKept ? 'kept' : mode);
    await mayReplace?.(temporary);
    // Nothing else that this process does comes in between.
    renameSync(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** How the name of a temporary file of `replaceFile` begins: as that of its file, or as much of it as leaves room for the rest. */
export function stemOf(name: string): string {
  const bytes = Buffer.from(name);
  return bytes.length <= mostStemBytes ? name : bytes.subarray(0, mostStemBytes).toString();
}

// Names of files have at most 255.
const mostStemBytes = 190;

/** Whether a file is what a process that certainly no longer runs left of `replaceFile`; undefined where this machine cannot know. */
export function isLeftover(name: string): boolean | undefined {
  const [, mark] = /\.tmp-(.+-\d*)-\d+$/.exec(name) ?? [];
  return mark !== undefined && isMarkGone(mark);
}

async function writeWhole(path: string, text: string, mode: number | 'kept'): Promise<void> {
  const bytes = Buffer.from(text);
  const file = await open(path, 'wx', 0o600);
  try {
    // Whatever the umask leaves of it.
    await (mode === 'kept' ? giveToDirectory(file, dirname(path)) : file.chmod(mode));
    await file.writeFile(bytes);
    await file.sync();
    // A full disk can take part of a write without an error.
    const { size } = await file.stat();
    if (size !== bytes.length) throw new Error(`only ${size} of ${bytes.length} bytes were written`);
  } finally {
    await file.close();
  }
}

/** Makes names in a directory durable: a rename, a new file. Some file systems cannot, and need not. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await directory.close();
  }
}
