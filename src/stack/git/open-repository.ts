import type { StackContext } from '../stack-context.ts';
import { findRepository } from './find-repository.ts';
import { readGit, type ReadGit } from './read-git.ts';

/** A repository, and the way to read it. */
export interface OpenRepository {
  readonly git: ReadGit;
  /** The directory that is checked out. */
  readonly root: string;
}

/** The repository that a directory is in. */
export function openRepository(context: StackContext, dir: string): OpenRepository | undefined {
  const found = findRepository(dir);
  return found === undefined ? undefined : { git: readGit(context, found.gitDir), root: found.root };
}
