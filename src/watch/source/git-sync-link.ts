import { lstatSync } from 'node:fs';
import { basename, sep } from 'node:path';

/** What on the way to a directory others may put something else in the place of, at any time. */
export interface GitSyncLink {
  readonly path: string;
  /** `worktree`: of git-sync, which names each by its commit, and removes it when there is another. */
  readonly is: 'link' | 'worktree';
}

/** Finds it in a path as it was named: the first link, or else a worktree of git-sync that no link was followed to. */
export function findGitSyncLink(dir: string): GitSyncLink | undefined {
  const steps = dir.split(sep);
  const paths = steps.map((_, index) => steps.slice(0, index + 1).join(sep)).filter((path) => path !== '');
  const link = paths.find((path) => lstatSync(path).isSymbolicLink());
  if (link !== undefined) return { path: link, is: 'link' };
  const worktree = paths.find((path) => /^(rev-)?([0-9a-f]{40}|[0-9a-f]{64})$/.test(basename(path)));
  return worktree === undefined ? undefined : { path: worktree, is: 'worktree' };
}
