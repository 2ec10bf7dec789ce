import { posix } from 'node:path';
import { stackFileName } from '../../manifest/stack-file/stack-file.ts';
import type { TreeEntry } from '../git/tree-entries.ts';

/** The directories of a commit, at or below one, that are stacks; none is searched for in hidden directories. */
export function stackDirectories(entries: readonly TreeEntry[], below: string): readonly string[] {
  return entries
    .filter(({ path, is }) => is !== 'submodule' && posix.basename(path) === stackFileName && isBelow(path, below))
    .map(({ path }) => (path === stackFileName ? '' : posix.dirname(path)))
    .filter(
      (dir) =>
        !posix
          .relative(below, dir)
          .split('/')
          .some((name) => name.startsWith('.')),
    );
}

/** Whether a path of a repository is a directory, or lies below it. */
export function isBelow(path: string, directory: string): boolean {
  return directory === '' || path === directory || path.startsWith(`${directory}/`);
}
