import { statSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readSafely } from '../../files/safe-file.ts';
import type { StackContext } from '../stack-context.ts';
import { readGit, type ReadGit } from './read-git.ts';

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

/** A repository, and the way to read it. */
export interface OpenRepository extends Pick<GitDirectory, 'root'> {
  readonly git: ReadGit;
}

/** The repository that a directory is in, whatever links lead to it. */
export function openRepository(context: StackContext, dir: string): OpenRepository | undefined {
  const found = findRepository(realpathSync(dir));
  return found === undefined ? undefined : { git: readGit(context, found.gitDir), root: found.root };
}
