import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readSafely } from '../../files/safe-file.ts';

/** A git repository that a directory is in. */
export interface GitDirectory {
  /** The directory that is checked out. */
  readonly root: string;
  /** Its own `.git`: of a worktree or submodule, the directory that its file names. */
  readonly gitDir: string;
}

/** Finds the `.git` of the nearest directory. Files of the repository that look like a bare one are not taken for it. */
export function findRepository(dir: string): GitDirectory | undefined {
  for (let at = dir; ; at = dirname(at)) {
    const path = join(at, '.git');
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return { root: at, gitDir: path };
    const read = readSafely(path);
    const named = 'text' in read ? /^gitdir: (.+)$/m.exec(read.text)?.[1] : undefined;
    if (named !== undefined) return { root: at, gitDir: resolve(at, named) };
    if (dirname(at) === at) return undefined;
  }
}
