import { realpathSync } from 'node:fs';
import type { StackContext } from '../stack-context.ts';
import { findRepository } from './find-repository.ts';
import { readGit, type ReadGit } from './read-git.ts';

/** A repository, and the way to read it. */
export interface OpenRepository {
  readonly git: ReadGit;
  /** The directory that is checked out. */
  readonly root: string;
}

/** The repository that a directory is in, whatever links lead to it. */
export function openRepository(context: StackContext, dir: string): OpenRepository | undefined {
  const found = findRepository(realpathSync(dir));
  return found === undefined ? undefined : { git: readGit(context, found.gitDir), root: found.root };
}
